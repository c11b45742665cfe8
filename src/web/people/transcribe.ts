import { limitText } from '../../base/printable.ts';
import { clean } from '../../model/trial.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import { aboutMinutes, playsIn, type ShownClip } from './clip-session.ts';
import { type ListeningPlan, type ListeningTask, minutesOf, panelSize, tasksOfSeat } from './listening-plan.ts';
import { type ClipSession, everything, openPlannedSession, type SessionOptions, seatsOf } from './planned-session.ts';
import { notTaken } from './take-part.ts';

/** What a person heard in a clip. */
interface Heard {
  /** Empty: nobody says anything, or no word can be made out. */
  readonly text: string;
  /** Somebody speaks, and no word can be made out. */
  readonly unintelligible: boolean;
  readonly plays: number;
  /** Whether it was ever played slowly. */
  readonly slowed: boolean;
}

/** Characters of an answer. */
const longest = 2000;

/** What somebody reads before the first clip. */
function welcome(plan: ListeningPlan, tasks: readonly ListeningTask[], first: string): Markup {
  const often =
    plan.plays === null
      ? 'You can play each clip as often as you want.'
      : `You can play each clip ${plan.plays === 1 ? 'once' : `up to ${plan.plays} times`}.`;
  return html`<div class="task"><p class="text">You will hear ${tasks.length} short clips${plan.conditions.some((name) => name !== clean.name) && ', some of them made harder to hear'}. Write down the words that you hear. It takes ${aboutMinutes(minutesOf(plan, tasks))}; you can stop at any time and go on later with the same link.</p>
<p class="text">Please use headphones in a quiet place, set the volume with the first clip, and leave it so. ${often}</p>
<p class="text">Write what you hear, not what would make sense. Where somebody speaks and you cannot make out a word, say so: that is an answer too.</p>
<p class="actions"><a class="go" href="${first}">Begin</a></p></div>`;
}

/** A clip's player, and what is written down. */
function clipContent(
  plan: ListeningPlan,
  {
    path,
    audio,
    value: heard,
    form,
    plays,
    isFixed,
  }: ShownClip<Heard> & { readonly plays: number; readonly isFixed: boolean },
): readonly Markup[] {
  const reason =
    heard === null ? null : heard.unintelligible ? 'unintelligible' : heard.text === '' ? 'silent' : 'words';
  const choice = (value: string, label: string, isChosen: boolean) =>
    html`<label><input type="radio" name="nothing" value="${value}"${isChosen && html` checked`}> ${label}</label>`;
  const player = html`<section class="player" aria-label="Player" data-audio="${audio}" data-plays="${plays}"${plan.plays !== null && html` data-most="${plan.plays}"`} data-keep-plays="${path}/plays">
<p class="actions"><button type="button" data-play disabled>Loading …</button>${plan.loop && html`<label><input type="checkbox" data-loop> Over and over</label>`}${plan.slow && html`<label><input type="checkbox" data-slow> Slower</label>`}</p>
<p class="small quiet" data-left role="status"></p></section>`;
  if (isFixed) {
    const words = heard!.text === '' ? html`<i>(no word)</i>` : html`<bdi>${heard!.text}</bdi>`;
    const stays = html`<blockquote>${words}</blockquote><p class="small quiet">It stays as it is, because you have heard this clip without noise since.</p>`;
    return [player, stays];
  }
  const fields = html`<label>What do you hear?
<input type="text" name="words" maxlength="${longest}" value="${heard?.text ?? ''}" autocomplete="off" autocapitalize="off" autocorrect="off" spellcheck="false" enterkeyhint="done" autofocus></label>
<fieldset><legend>What is it?</legend>${choice('words', 'I hear these words', reason === null || reason === 'words')}${choice('unintelligible', 'Somebody speaks, but I cannot make out a word', reason === 'unintelligible')}${choice('silent', 'Nobody speaks', reason === 'silent')}</fieldset>
<input type="hidden" name="plays" value="${plays}"><input type="hidden" name="slowed" value="${heard?.slowed ? 'yes' : 'no'}">
<p class="small quiet keys"><kbd>Esc</kbd> plays and stops, <kbd>Enter</kbd> saves.</p>`;
  return [player, form(fields)];
}

/** One answer, as a row of the table. */
export interface HeardRow extends Heard {
  readonly utterance: string;
  /** The panel: who answered each clip once. */
  readonly system: string;
  readonly condition: string;
  readonly repeat: number;
  readonly listener: string;
}

/**
 * Lets people write down what they hear, clip by clip, as the plan deals them. No transcript and no reference is on any page.
 *
 * @example
 * const transcribing = openTranscribing({ plan, clips: 'people-clips', people, write, problem });
 */
export function openTranscribing(options: SessionOptions<ListeningPlan, HeardRow>): ClipSession<HeardRow> {
  const { plan, people } = options;
  const seats = seatsOf(people);
  const heardOf = (person: string, { key }: Pick<ListeningTask, 'key'>) =>
    people.answer(person, key, 'heard') as Heard | null;
  const playsOf = (person: string, { key }: Pick<ListeningTask, 'key'>) =>
    (people.answer(person, key, 'plays') ?? 0) as number;
  const inSeat = (seat: number) => seats.flatMap((one) => (one.seat === seat ? [one.name] : []));
  type All = ReadonlyMap<string, ReadonlyMap<string, Heard>>;

  /** By clip of a seat, the person to whom it belongs: in pairs, whoever heard both. */
  const ownersOf = (seat: number, heard: All) => {
    const members = inSeat(seat);
    const last = members.at(-1)!;
    const tasks = tasksOfSeat(plan, seat);
    const ofUtterance = Map.groupBy(tasks, ({ utterance }) => utterance);
    return new Map(
      tasks.map((task) => {
        const both = ofUtterance.get(task.utterance)!;
        const before = members.slice(0, -1).find((name) => both.every(({ key }) => heard.get(name)?.has(key)));
        return [task, before ?? last] as const;
      }),
    );
  };
  /** In pairs, a clip stays as it was answered once the other was heard. */
  const isFixed = (person: string, task: ListeningTask, tasks: readonly ListeningTask[]) =>
    tasks.some(
      ({ after, key }) => after === task.key && (playsOf(person, { key }) > 0 || heardOf(person, { key }) !== null),
    );

  const rows = (): HeardRow[] => {
    const panels = Math.ceil(plan.seats / panelSize(plan));
    const all: All = everything(people, 'heard');
    const found: (HeardRow & { readonly order: readonly number[] })[] = [];
    for (let seat = 0; seat < plan.seats; seat++) {
      if (inSeat(seat).length === 0) continue;
      const panel = Math.floor(seat / panelSize(plan));
      for (const [task, listener] of ownersOf(seat, all)) {
        const heard = all.get(listener)?.get(task.key);
        if (heard === undefined) continue;
        found.push({
          utterance: plan.utterances[task.utterance]!.id,
          system: panels === 1 ? 'people' : `people-${panel + 1}`,
          condition: plan.conditions[task.condition]!,
          repeat: task.repeat,
          listener,
          ...heard,
          order: [panel, task.utterance, task.condition, task.repeat],
        });
      }
    }
    return found
      .sort((a, b) => a.order.reduce((sign, value, at) => sign || value - b.order[at]!, 0))
      .map(({ order: _, ...row }) => row);
  };

  const playsSent = (text: string | undefined): number | null => {
    const count = playsIn(text);
    return count === null ? null : Math.min(count, plan.plays ?? count);
  };

  return openPlannedSession<ListeningTask, Heard, HeardRow>(options, {
    question: 'heard',
    words: { todo: 'hear', done: 'done', title: 'Listening' },
    script: 'transcribe',
    tasksOf(person) {
      const seat = seats.find(({ name }) => name === person)?.seat;
      if (seat === undefined) return [];
      const owners = ownersOf(seat, everything(people, 'heard'));
      return [...owners].flatMap(([task, owner]) => (owner === person ? [task] : []));
    },
    minutesOf: (tasks) => minutesOf(plan, tasks),
    rows,
    /** In pairs, clean clips come when all others are done. */
    closed: (person, task, tasks) =>
      task.after !== null && tasks.some((one) => one.after === null && heardOf(person, one) === null)
        ? 'First come the clips with noise.'
        : null,
    clipAt: ({ condition }, below) => (below === undefined ? condition : null),
    welcome: (tasks, first) => welcome(plan, tasks, first),
    clip: (person, task, tasks, shown) =>
      clipContent(plan, { ...shown, plays: playsOf(person, task), isFixed: isFixed(person, task, tasks) }),
    keep(question, { words, nothing, plays, slowed }, { person, task, tasks }) {
      if (question !== 'plays' && question !== 'heard') return null;
      const count = playsSent(question === 'plays' ? plays : (plays ?? '0'));
      const most = Math.max(playsOf(person, task), count ?? 0);
      const uncounted = () => notTaken('Expected how often the clip was played.');
      if (question === 'plays') return count === null ? uncounted() : { keep: { plays: most } };
      const text = limitText((words ?? '').replace(/\s+/gu, ' ').trim(), longest);
      if (nothing !== undefined && nothing !== 'unintelligible' && nothing !== 'silent' && nothing !== 'words')
        return notTaken('Expected one of the three answers.');
      const wordless = nothing === 'unintelligible' || nothing === 'silent';
      if (wordless && text !== '')
        return notTaken('Either words, or none: take the words out, or choose “I hear these words”.');
      if (!wordless && text === '') return notTaken('Write down the words, or say why there are none.');
      if (count === null) return uncounted();
      if (most === 0) return notTaken('Play the clip first.');
      const before = heardOf(person, task);
      const heard = {
        ...{ text, unintelligible: nothing === 'unintelligible', plays: most },
        slowed: plan.slow && (slowed === 'yes' || before?.slowed === true),
      };
      const isSame = before?.text === text && before.unintelligible === heard.unintelligible;
      if (isFixed(person, task, tasks) && !isSame)
        return notTaken('What you heard in the noise stays as it was once you have heard the clip without it.', 409);
      return { keep: { plays: most, heard } };
    },
    overview: {
      ...{ caption: 'Who has heard how many clips', done: 'Heard' },
      columns: [
        {
          ...{ name: 'Unintelligible', isNumber: true },
          of: (_, said) => [...said.values()].filter(({ unintelligible }) => unintelligible).length,
        },
      ],
      note: () => html`<p class="text quiet">The words stand in the table; it is written anew with every answer.</p>`,
    },
  });
}
