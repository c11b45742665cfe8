import { encodeWav } from '../../audio/encode-wav.ts';
import { checkRecording, rms } from '../../audio/levels.ts';
import { messageOf } from '../../base/errors.ts';
import {
  contextAt,
  contextOf,
  microphone,
  microphoneProblems,
  type RecordedClip,
  type Recording,
  recordingOf,
} from './shared/capture.ts';
import { all, find, isAt, isPlain, typing } from './shared/elements.ts';
import { kept, putJson } from './shared/keeping.ts';
import {
  allTakes,
  type DraftTake,
  dropTake,
  home,
  joinedSamples,
  putTake,
  samplesOf,
  send,
  sendAll,
  sentBy,
  tell,
  wait,
} from './shared/outbox.ts';

/* Records, checks, keeps in the browser, and sends: nothing leaves the browser's own disk before the server has it. */

const problemWords = {
  silent: 'Nothing can be heard. Is it the right microphone, and is it switched on?',
  clipped: 'It is too loud, so that the sound is cut off: move away a little and record again.',
  quiet: 'It is very quiet: come closer and record again.',
  noisy: 'There is much noise around you: is there a quieter place?',
  short: 'It is very short: was it cut off?',
};

/** Changes of the sound that a browser is asked not to make. */
const changes = ['echoCancellation', 'noiseSuppression', 'autoGainControl'] as const;
const wavHeadBytes = 44;

for (const recorder of all('[data-recorder]', HTMLElement)) startRecorder(recorder);

function startRecorder(recorder: HTMLElement): void {
  const part = (name: string) => find(`[data-${name}]`, HTMLElement, recorder);
  const [time, told, problems] = [part('time'), part('told'), part('problems')];
  const record = find('[data-record]', HTMLButtonElement, recorder);
  const listen = find('[data-listen]', HTMLButtonElement, recorder);
  const [keepButton] = all('[data-keep]', HTMLButtonElement, recorder);
  const level = find('meter', HTMLMeterElement, recorder);
  /** Where clips are kept; undefined: here they are only listened to. */
  const path = recorder.dataset.keepPath;
  const maxSeconds = Number(recorder.dataset.max);
  const maxBytes = Number(recorder.dataset.maxBytes ?? Infinity);
  const place: DraftTake['place'] = JSON.parse(recorder.dataset.place ?? '{}');
  let recording: Recording | null = null;
  let clip: RecordedClip | null = null;
  let playing: AudioBufferSourceNode | null = null;
  let isStarting = false;
  let context: AudioContext | null = null;
  // Loaded with the page, at the rate that the microphone had last: what loads when somebody wants to record does not load without a network.
  const loading = contextAt(Number(kept('earwitness rate'))).then(
    (made) => {
      context ??= made;
    },
    () => {},
  );
  const say = (text: string, isBad = false) => {
    told.textContent = text;
    told.classList.toggle('bad', isBad);
  };
  const show = () => {
    record.textContent = recording ? 'Stop' : clip ? 'Record again' : (record.dataset.label ?? '');
    listen.disabled = recording !== null || clip === null;
    listen.textContent = playing ? 'Stop' : 'Listen';
    if (keepButton) keepButton.disabled = recording !== null || clip === null;
  };
  const judge = (made: RecordedClip) => {
    const found = checkRecording(made);
    problems.replaceChildren(
      ...found.problems.map((problem) =>
        Object.assign(document.createElement('li'), { textContent: problemWords[problem] }),
      ),
    );
    const words = changes
      .filter((name) => made.settings[name] === true)
      .map((name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));
    const changed = ` This browser changes the sound (${words.join(', ')}) although it was asked not to.`;
    const isGood = found.problems.length === 0;
    say(`${found.durationSeconds.toFixed(1)} s${isGood ? ', good.' : '.'}${words.length > 0 ? changed : ''}`, !isGood);
    time.textContent = '';
  };
  const start = async () => {
    if (isStarting) return;
    isStarting = true;
    try {
      await begin();
    } finally {
      isStarting = false;
    }
  };
  const begin = async () => {
    stopPlaying();
    say('');
    problems.replaceChildren();
    let stream: MediaStream;
    try {
      stream = await microphone();
    } catch (error) {
      const why = (error instanceof Error && microphoneProblems[error.name]) || messageOf(error);
      return say(`There is no microphone: ${why}`, true);
    }
    const track = stream.getAudioTracks()[0]!;
    const { sampleRate, ...answered } = track.getSettings();
    await loading;
    let used: AudioContext;
    try {
      // At the rate of the microphone, so that nothing is resampled before it is kept.
      used = await contextOf(context, sampleRate);
      context = used;
      await used.resume();
    } catch {
      for (const each of stream.getTracks()) each.stop();
      return say('The recorder could not be loaded: there is no connection. Try again in a moment.', true);
    }
    const said = (name: (typeof changes)[number]) => (typeof answered[name] === 'boolean' ? answered[name] : null);
    const settings = {
      ...{ echoCancellation: said('echoCancellation'), noiseSuppression: said('noiseSuppression') },
      ...{ autoGainControl: said('autoGainControl'), sampleRate: sampleRate ?? used.sampleRate },
    };
    const source = used.createMediaStreamSource(stream);
    const node = new AudioWorkletNode(used, 'earwitness-recorder', { numberOfOutputs: 0 });
    const own = recordingOf({ take: crypto.randomUUID(), sampleRate: used.sampleRate, settings, place }, path, () => {
      source.disconnect();
      node.port.onmessage = null;
      for (const each of stream.getTracks()) each.stop();
    });
    if (clip && path) void dropTake(clip.take);
    clip = null;
    recording = own;
    const maxSamples = Math.min(maxSeconds * used.sampleRate, (maxBytes - wavHeadBytes) / 2);
    let saved = 0;
    node.port.onmessage = ({ data }: MessageEvent<Float32Array>) => {
      if (recording !== own) return;
      own.parts.push(data);
      own.length += data.length;
      level.value = Math.max(-60, 10 * Math.log10(rms(data) ** 2 + 1e-9));
      const longest = Math.floor(maxSamples / used.sampleRate);
      time.textContent = `${(own.length / used.sampleRate).toFixed(1)} of at most ${longest} s`;
      if (own.length - saved > used.sampleRate) {
        saved = own.length;
        own.save();
      }
      if (own.length + data.length > maxSamples) void stop();
    };
    track.addEventListener('ended', () => {
      if (recording !== own) return;
      void stop();
      say('The microphone was unplugged or taken away. What was recorded is here.', true);
    });
    source.connect(node);
    show();
  };
  const stop = async () => {
    const own = recording;
    if (own === null) return;
    recording = null;
    own.end();
    own.save();
    level.value = -60;
    clip = { ...own, samples: joinedSamples(own.parts) };
    judge(clip);
    show();
    await own.saving();
    if (own.problem instanceof Error)
      say(
        `This browser has no room to keep the recording (${own.problem.name}): keep it now, and do not close the page before it is sent.`,
        true,
      );
    (keepButton ?? listen).focus();
  };
  const stopPlaying = () => {
    if (playing === null) return;
    playing.onended = null;
    playing.stop();
    playing = null;
    show();
  };
  const play = async () => {
    if (playing) return stopPlaying();
    if (!clip || clip.samples.length === 0) return;
    const { samples, sampleRate } = clip;
    await loading;
    context ??= new AudioContext({ latencyHint: 'playback' });
    await context.resume();
    const buffer = context.createBuffer(1, samples.length, sampleRate);
    buffer.copyToChannel(samples, 0);
    playing = context.createBufferSource();
    playing.buffer = buffer;
    playing.connect(context.destination);
    playing.onended = () => {
      playing = null;
      show();
    };
    playing.start();
    show();
  };
  const keepIt = async () => {
    if (!keepButton || keepButton.disabled || !clip || path === undefined) return;
    stopPlaying();
    keepButton.disabled = true;
    record.disabled = true;
    const one = await queuedTake(clip, path);
    say('Saving …');
    const answer = await putTake(one)
      .then(() => sentBy(one.take))
      // No room on this browser's disk: from memory, then.
      .catch(() => sendAtLast(one, (why) => say(`Not sent yet: ${why}. Leave this page open.`, true)));
    record.disabled = false;
    if (answer.kept) return location.assign(answer.next ?? recorder.dataset.next ?? '');
    keepButton.disabled = false;
    say(answer.problem ?? 'This was not taken.', true);
  };
  record.addEventListener('click', () => (recording ? stop() : start()).catch((error) => say(messageOf(error), true)));
  listen.addEventListener('click', play);
  keepButton?.addEventListener('click', () => void keepIt());
  addEventListener('keydown', (event) => {
    if (!isPlain(event) || event.repeat || isAt(event, typing)) return;
    const pressed = { r: record, p: listen }[event.key.toLowerCase()];
    if (pressed === undefined) return;
    pressed.click();
    event.preventDefault();
  });
  addEventListener('beforeunload', (event) => {
    if (recording) event.preventDefault();
  });
  const isTouched = () => recording !== null || clip !== null || isStarting;
  /** What a closed tab left. */
  const before = async () => {
    if (!path) return;
    const mine = (await allTakes()).flatMap((one) => (one.path === path && one.state !== 'queued' ? [one] : []));
    const [last, ...older] = mine.sort((a, b) => b.at - a.at);
    for (const old of older) await dropTake(old.take);
    if (last === undefined || isTouched()) return;
    if (last.state === 'refused') {
      say(`This was not taken: ${last.why} Record it again.`, true);
      return dropTake(last.take);
    }
    const samples = await samplesOf(last.take);
    if (samples.length < last.sampleRate / 4) return dropTake(last.take);
    clip = { ...last, samples };
    judge(clip);
    say('This is what you had recorded before the page was closed. Listen to it, keep it, or record again.');
    show();
  };
  say('');
  void before();
  // What waited here was sent: nothing is left to be done on this page.
  if (path)
    void sendAll()
      .then((answers) => {
        const sent = [...answers.values()].find((answer) => answer.kept && answer.path === path);
        if (sent?.next && !isTouched()) location.assign(sent.next);
      })
      .catch(() => {});
  show();
}

async function queuedTake({ samples, sampleRate, take, settings, place }: RecordedClip, path: string) {
  const bytes = encodeWav({ samples, sampleRate: Math.round(sampleRate) }, { format: 's16' });
  const { environment = '', device = '', rooms = '' } = place;
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  const sha256 = Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const what = { bytes: bytes.length, sha256, environment, device, rooms, settings };
  return { take, home: home ?? '', path, state: 'queued', at: Date.now(), bytes, what } as const;
}

/** Sends until it is taken or refused. */
async function sendAtLast(one: Parameters<typeof send>[0], failed: (why: string) => void) {
  for (let pause = 1; ; pause = Math.min(10, 2 * pause)) {
    try {
      return await send(one);
    } catch (error) {
      failed(messageOf(error));
      await wait(pause);
    }
  }
}

for (const button of all('[data-skip]', HTMLElement)) {
  button.addEventListener('click', async () => {
    const told = await putJson(button.dataset.skip ?? '', {}).catch(() => null);
    if (told?.next) location.assign(told.next);
    else tell(told?.problem ?? 'There is no connection. Try again in a moment.');
  });
}

if (home !== null) void sendAll().catch((error: unknown) => tell(messageOf(error)));
// Whoever has withdrawn leaves nothing in this browser either.
for (const { dataset } of all('[data-withdrawn]', HTMLElement)) {
  const dropAll = async () => {
    for (const { take, home } of await allTakes()) if (home === dataset.withdrawn) await dropTake(take);
  };
  void dropAll();
}
