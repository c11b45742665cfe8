import { formatFixed } from '../../base/number-format.ts';
import { html, type Markup } from '../../report/html/markup.ts';
import type { Coverage } from '../../statistics/intersectional-coverage.ts';
import { keptForm } from '../people/take-part.ts';
import { maxClipBytes, type RecordingPlace } from './announced.ts';
import type { CollectionItem, CollectionPlan } from './collection-plan.ts';
import type { About, Recording } from './recording.ts';

/** What people agree to, before anything else. */
export function consentContent(plan: CollectionPlan, home: string, isAgreed: boolean): Markup {
  const paragraphs = plan.consent.split(/\n\s*\n/);
  const form = keptForm(
    `${home}/consent`,
    html`<input type="hidden" name="sha256" value="${plan.consentSha256}"><fieldset><legend>Do you agree?</legend><label><input type="checkbox" name="agree" value="yes" required> I have read this, and I agree</label></fieldset>`,
    'Go on',
  );
  return html`<div class="task">${paragraphs.map((text) => html`<p class="text">${text.trim()}</p>`)}<p class="text">Questions: <bdi>${plan.contact}</bdi>. Licence of the recordings: ${plan.licence}.</p>${
    isAgreed ? html`<p class="text">You have agreed. <a class="go" href="${home}/">Go on</a></p>` : form
  }</div>`;
}

/** Self-identification: several, own words, or not at all. */
export function aboutContent(plan: CollectionPlan, home: string, about: About | null): Markup {
  const question = ({ name, question: asked, choices, several, ownWords }: CollectionPlan['attributes'][number]) => {
    const said = about?.attributes[name]?.split('; ') ?? [];
    const own = said.filter((one) => !choices.includes(one)).join('; ');
    const isDeclined = about?.declined.includes(name) ?? false;
    const option = (at: number, label: string) =>
      several
        ? html`<label><input type="checkbox" name="${name}.${at}" value="yes"${said.includes(label) && html` checked`}> ${label}</label>`
        : html`<label><input type="radio" name="${name}" value="${at}"${said.includes(label) && html` checked`}> ${label}</label>`;
    const declined =
      several || choices.length === 0
        ? html`<label><input type="checkbox" name="${name}.declined" value="yes"${isDeclined && html` checked`}> I would rather not say</label>`
        : html`<label><input type="radio" name="${name}" value="declined"${isDeclined && html` checked`}> I would rather not say</label>`;
    const words =
      ownWords &&
      html`<label class="wide">${choices.length > 0 ? 'In your own words' : 'Your answer'} <input type="text" name="${name}.own" maxlength="100" value="${own}" autocomplete="off"></label>`;
    return html`<fieldset><legend>${asked}</legend>${choices.map((label, at) => option(at, label))}${words}${declined}</fieldset>`;
  };
  return html`<div class="task"><p class="text">Answer what you like, in any words. Nothing is guessed from your voice, and you can leave out any question.</p>${keptForm(`${home}/about`, html`${plan.attributes.map(question)}`, 'Go on')}</div>`;
}

/** The microphone is tried, and the person says where they are. */
export function checkContent(
  plan: CollectionPlan,
  home: string,
  {
    place,
    isPaired,
    next,
  }: { readonly place: RecordingPlace | null; readonly isPaired: boolean; readonly next: string },
): Markup {
  const choices = (name: string, legend: string, among: readonly string[], chosen: string) =>
    among.length > 0 &&
    html`<fieldset><legend>${legend}</legend>${among.map((label) => html`<label><input type="radio" name="${name}" value="${label}" required${chosen === label && html` checked`}> ${label}</label>`)}</fieldset>`;
  const rooms =
    isPaired &&
    html`<fieldset><legend>You and your partner are</legend><label><input type="radio" name="rooms" value="one" required${place?.rooms === 'one' && html` checked`}> in one room</label><label><input type="radio" name="rooms" value="two" required${place?.rooms === 'two' && html` checked`}> in two rooms</label></fieldset>`;
  const form = keptForm(
    `${home}/check`,
    html`${choices('environment', 'Where are you?', plan.environments, place?.environment ?? '')}${choices('device', 'What do you record with?', plan.devices, place?.device ?? '')}${rooms}`,
    place === null ? 'Go on' : 'Save',
  );
  return html`<div class="task"><p class="text">Sit where it is quiet, a hand's width from the microphone. Press the button, say a sentence, stop, and listen to it.</p>
<section data-recorder data-max="10" data-test aria-label="Test of the microphone">${controls('Record a test')}</section>${form}${place !== null && html`<p class="actions"><a href="${next}">Go on without a change</a></p>`}</div>`;
}

function controls(record: string): Markup {
  return html`<p class="actions"><button type="button" data-record data-label="${record}">${record}</button><button type="button" data-listen disabled>Listen</button></p>
<p class="actions"><label>Level <meter data-level min="-60" max="0" low="-42" high="-3" optimum="-18" value="-60"></meter></label><span class="small quiet" data-time></span></p>
<p data-told role="status">Loading … If this stays, load the page again.</p><ul class="text" data-problems></ul>`;
}

interface Around {
  readonly path: string;
  readonly done: number;
  readonly of: number;
  readonly before: string | null;
  readonly after: string;
}

function progressOf({ done, of }: Pick<Around, 'done' | 'of'>): Markup {
  return html`<progress max="${Math.max(1, of)}" value="${done}" aria-label="Recordings that are done"></progress>`;
}

function prompt(plan: CollectionPlan, item: CollectionItem): Markup {
  const said = (text: string | null, who: string) =>
    text !== null && html`<p class="text quiet">${who}: <span lang="${plan.language}"><bdi>${text}</bdi></span></p>`;
  const lead = {
    read: 'Read aloud:',
    grammar: 'Say:',
    dictation: 'Dictate every word as it stands here, also the names of the signs:',
    free: 'Say it in your own words:',
    dialogue: 'Your part:',
  }[item.type];
  return html`${said(item.before, 'Before you, your partner says')}<p class="text">${lead}</p><blockquote class="read" lang="${plan.language}"><bdi>${item.text}</bdi></blockquote>${said(item.after, 'Then your partner says')}`;
}

/** One clip to be recorded, heard and kept. */
export function itemContent(
  plan: CollectionPlan,
  item: CollectionItem,
  {
    path,
    before,
    after,
    done,
    of,
    home,
    place,
    recording,
  }: Around & {
    readonly home: string;
    readonly place: RecordingPlace;
    readonly recording: Recording | null;
  },
): Markup {
  const player =
    recording !== null &&
    html`<p class="text">This is recorded: <audio controls preload="none" src="${path}/audio" aria-label="Your recording"></audio></p>`;
  return html`${progressOf({ done, of })}<div class="task">${prompt(plan, item)}${player}
<section data-recorder data-max="${plan.maxSeconds}" data-max-bytes="${maxClipBytes}" data-home="${home}" data-keep-path="${path}" data-next="${after}" data-place="${JSON.stringify(place)}" aria-label="Recorder">${controls(recording === null ? 'Record' : 'Record again')}
<p class="actions"><button type="button" data-keep disabled>Keep and go on</button></p></section>
<p class="small quiet keys"><kbd>R</kbd> records and stops, <kbd>P</kbd> plays, <kbd>Enter</kbd> keeps.</p>
<nav class="actions" aria-label="Other recordings">${before !== null && html`<a href="${before}">‹ Back</a>`}${recording === null ? html`<button type="button" data-skip="${path}/skipped">Leave this one out</button>` : html`<a href="${after}">Go on ›</a>`}<a href="${home}/check">Microphone</a><a href="${home}/done">All recordings</a></nav>
<p class="small" data-outbox data-home="${home}" role="status"></p></div>`;
}

/** What was said freely is written down by who said it. */
export function wordsContent(plan: CollectionPlan, item: CollectionItem, around: Around, text: string | null): Markup {
  return html`${progressOf(around)}<div class="task"><p class="text quiet">You were asked: <span lang="${plan.language}"><bdi>${item.text}</bdi></span></p><p class="text">Listen, and write down every word that you said, also those that you said twice or broke off.</p>
<p><audio controls src="${around.path}/audio" aria-label="Your recording"></audio></p>
${keptForm(`${around.path}/words`, html`<label>Your words<textarea name="words" rows="4" maxlength="5000" lang="${plan.language}">${text ?? ''}</textarea></label>`, 'Save and go on')}
<nav class="actions" aria-label="Other recordings"><a href="${around.path}">Record it again</a></nav></div>`;
}

/** What stands at the end, and all that there is. */
export function doneContent(
  { contact }: CollectionPlan,
  home: string,
  {
    code,
    of,
    next,
    items,
  }: {
    readonly code: string;
    readonly of: number;
    readonly next: string | null;
    readonly items: readonly (CollectionItem & { readonly isThere: boolean })[];
  },
): Markup {
  const there = items.filter(({ isThere }) => isThere).length;
  return html`<div class="task"><p class="text">${next === null ? html`Thank you: ${there} of ${of} recordings are kept.` : html`${there} of ${of} recordings are kept. <a class="go" href="${next}">Go on</a>`}</p>
<p class="small" data-outbox data-home="${home}" role="status"></p>
<p class="text">Your code: <b><code>${code}</code></b>. Write it down: whoever has it can ask <bdi>${contact}</bdi> to remove your voice, also when this page is gone.</p>
<details><summary>All recordings</summary><ol>${items.map(({ id, text, isThere }) => html`<li><a href="${home}/items/${id}"><bdi>${text}</bdi></a>${isThere ? ' – recorded' : ''}</li>`)}</ol></details>
<p class="actions"><a href="${home}/about">What I told about myself</a> <a href="${home}/consent">What I agreed to</a> <a href="${home}/withdraw">Withdraw</a></p></div>`;
}

export function withdrawContent(home: string, clips: number): Markup {
  return html`<div class="task"><p class="text">Your ${clips === 1 ? 'recording' : `${clips} recordings`} and what you told about yourself are removed here, for good. What was copied from here before is not reached by this page: your code is what others need for that.</p>
${keptForm(`${home}/withdraw`, html`<fieldset><legend>Are you sure?</legend><label><input type="checkbox" name="sure" value="yes" required> Remove my voice</label></fieldset>`, 'Withdraw')}<p class="actions"><a href="${home}/done">Go back</a></p></div>`;
}

export function withdrawnContent({ contact }: CollectionPlan, home: string, code: string): Markup {
  return html`<div class="task" data-withdrawn="${home}"><p class="text">You have withdrawn. Your recordings and what you told about yourself are removed here; that you took part, and when you withdrew, stays in the log.</p><p class="text">For copies that others have: write to <bdi>${contact}</bdi> and name your code, <b><code>${code}</code></b>.</p></div>`;
}

/** Counts for whoever asked people to record: who does how much, of whom there are how many, and whom to ask next. */
export function overviewContent(
  everyone: readonly {
    readonly name: string;
    readonly of: number;
    readonly recorded: number;
    readonly seconds: number;
    readonly doubtful: number;
    readonly state: string;
  }[],
  quota: Coverage | null,
  file: string,
): Markup {
  const people = html`<div class="scroll" role="region" tabindex="0" aria-label="Who has recorded how much"><table><caption>Who has recorded how much</caption><thead><tr><th scope="col">Person</th><th scope="col" class="number">Clips</th><th scope="col" class="number">Of</th><th scope="col" class="number">Minutes</th><th scope="col" class="number">Doubtful</th><th scope="col">State</th></tr></thead><tbody>${everyone.map(({ name, of, recorded, seconds, doubtful, state }) => html`<tr><th scope="row"><bdi>${name}</bdi></th><td class="number">${recorded}</td><td class="number">${of}</td><td class="number">${formatFixed(seconds / 60, 1)}</td><td class="number">${doubtful}</td><td>${state}</td></tr>`)}</tbody></table></div>
<p class="text quiet">Doubtful: silent, clipped, quiet, noisy or short, and kept all the same. Names stand in <bdi>${file}</bdi> alone.</p>`;
  if (quota === null) return people;
  const next = quota.toCollect.slice(0, 5);
  const cell = ({ values, amount, missing }: Coverage['cells'][number]) =>
    html`<tr>${values.map((value) => html`<td><bdi>${value}</bdi></td>`)}<td class="number">${amount}</td><td class="number">${missing}</td></tr>`;
  return html`<p class="text">${
    next.length === 0
      ? html`Every combination of ${quota.attributes.join(' and ')} has ${quota.minimum} speakers or more.`
      : html`Recruit next: <b><bdi>${next[0]!.values.join(', ')}</bdi></b>, of whom ${next[0]!.missing} are missing. ${quota.covered} of ${quota.cells.length} combinations have ${quota.minimum} speakers or more.`
  } ${quota.klToUniform !== null && html`Divergence from uniform, by speakers: ${formatFixed(quota.klToUniform, 3)} nats (0: all alike; ${formatFixed(Math.log(quota.cells.length), 3)}: all in one).`} ${quota.leftOut > 0 && html`${quota.leftOut} did not say, or used their own words, and are in none.`}</p>
<div class="scroll" role="region" tabindex="0" aria-label="Speakers by group"><table><caption>Speakers by ${quota.attributes.join(' and ')}</caption><thead><tr>${quota.attributes.map((name) => html`<th scope="col">${name}</th>`)}<th scope="col" class="number">Speakers</th><th scope="col" class="number">Missing</th></tr></thead><tbody>${quota.cells.map(cell)}</tbody></table></div>${people}`;
}
