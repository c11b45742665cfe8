/** What a column of a table can say. */
export type Role =
  | 'id'
  | 'path'
  | 'channel'
  | 'reference'
  | 'hypothesis'
  | 'speaker'
  | 'group'
  | 'language'
  | 'start'
  | 'end'
  | 'duration'
  | 'tags'
  | 'system'
  | 'condition'
  | 'repeat'
  | 'error'
  | 'words'
  | 'listener'
  | 'unintelligible';

const listOf = (names: string) => names.trim().split(/\s+/);

/** Says that it is the reference: what was said, or was to be said, as people wrote it. */
const referenceNames = listOf(`
  reference ref references refs truth ground_truth groundtruth gt gold golden gold_standard human manual expected correct verbatim script true spoken
  referenz referenztext soll vorlage gesprochen gesprochener gesprochene gelesen gelesener gelesene erwartet erwarteter
  référence vérité attendu attendue attendus attendues manuel manuelle texte_lu phrase_lue
  referencia referência verdad verdade esperado esperada esperados leído leída lido lida
  riferimento verità atteso attesa attesi letto letta
  referentie waarheid verwacht verwachte gesproken voorgelezen
  эталон референс эталонный ожидаемый ожидаемое еталон referencja wzorzec oczekiwany referans doğru facit förväntad
  正解 参照 标注 標註 参考 정답`);
/** Holds words: the reference, or in a table of one recognizer what it heard. */
const wordNames = listOf(`
  sentence text transcription transcript transcripts transcriptions sentences normalized_text orthography caption captions subtitle subtitles
  wortlaut satz transkript transkription transkripte untertitel texte phrase frase texto testo oración transcripción transcrição trascrizione
  tekst transcriptie zin текст транскрипция расшифровка metin 文本 原文 转写 書き起こし 字幕 텍스트`);
/** The same, or a class, an id, or what somebody was to say. */
const vagueNames = listOf('target targets label labels words word utterance said prompt zieltext');

/**
 * Names under which columns are found when nobody names them, the first that is there: Common Voice (`client_id path sentence locale`), NeMo
 * (`audio_filepath text offset duration pred_text`), Hugging Face audiofolder (`file_name transcription`), DeepSpeech (`wav_filename transcript`),
 * Kaldi, and what people write by hand. In any letter case, with blanks, points and hyphens for underscores.
 */
export const usualNames: Readonly<Record<Role, readonly string[]>> = {
  id: 'id utt utt_id utterance utterance_id uttid utterance_name utt_name key uid segment_id clip_id clip clip_name sample_id recording_id file_id audio_id'.split(
    ' ',
  ),
  path: 'path file file_name filename audio_filepath wav_filename audio_path audio wav audio_file wav_path file_path filepath audio_filename sound source_file speech_file datei dateiname fichier archivo'.split(
    ' ',
  ),
  channel: ['channel', 'channel_id', 'audio_channel', 'channel_selector'],
  reference: [...referenceNames, ...wordNames, ...vagueNames],
  hypothesis: listOf(`
    hypothesis hyp hypotheses hyps prediction predictions predicted pred pred_text predicted_text recognized recognised asr output result heard
    hypothese hypothesen erkannt ist hypothèse hypothèses reconnu obtenu hipótesis reconocido obtenido hipótese reconhecido obtido ipotesi riconosciuto ottenuto
    hypothese herkend распознано гипотеза rozpoznano 認識結果 识别结果 語音識別 语音识别 인식결과`),
  speaker:
    'speaker speaker_id client_id spk spk_id spkid speakerid who sprecher sprecherin sprecher_id talker caller reader voice user user_id participant participant_id subject subject_id person person_id locuteur locutor locutora hablante parlante actor name'.split(
      ' ',
    ),
  /** What tells groups of people or recordings apart. */
  group:
    'sex gender geschlecht sexe sexo genere age alter edad âge idade age_group agegroup age_range accent accents dialect akzent dialekt region country land native native_language nativelanguage first_language firstlanguage ethnicity device microphone environment emotion style'.split(
      ' ',
    ),
  language: ['language', 'lang', 'locale'],
  start: ['start', 'start_seconds', 'offset'],
  end: ['end', 'end_seconds'],
  duration: ['duration', 'duration_seconds'],
  tags: ['tags'],
  system: ['system', 'recognizer', 'recogniser', 'engine', 'model'],
  condition: ['condition'],
  repeat: ['repeat'],
  error: ['error'],
  words: ['words'],
  listener: ['listener'],
  unintelligible: ['unintelligible'],
};

/** Without accents on Latin letters, which people leave out. */
const folded = (name: string) =>
  name
    .normalize('NFD')
    .replace(/(?<=\p{Script=Latin})\p{M}+/gu, '')
    .normalize('NFC')
    .toLowerCase();

/** A name as it is looked up. */
const plain = (name: string) => folded(name.trim()).replace(/[ .-]+/g, '_');
const plainOf = (names: readonly string[]): ReadonlySet<string> => new Set(names.map(plain));
const namesOf = new Map(Object.entries(usualNames).map(([role, names]) => [role, plainOf(names)] as const));

/**
 * The column that has a usual name of a role: written as here, else in any letter case; undefined where none has.
 *
 * @example usualColumn(['Path', 'Text'], 'path') // 'Path'
 */
export function usualColumn(names: readonly string[], role: Role): string | undefined {
  const usual = usualNames[role];
  const exact = usual.find((name) => names.includes(name));
  if (exact !== undefined) return exact;
  const written = new Map(names.map((name) => [plain(name), name] as const).reverse());
  return usual.map((name) => written.get(plain(name))).find((name) => name !== undefined);
}

/** The column that names the speaker in a table with a row for each: an id is one there, and a name only where nothing else is. */
export function speakerOfRow(names: readonly string[]): string | undefined {
  const ids = names.filter((name) => plain(name) !== 'name');
  return usualColumn(ids, 'speaker') ?? usualColumn(ids, 'id') ?? usualColumn(names, 'speaker');
}

/** Whether a column is called as one of this role. */
export function isCalled(name: string, role: Role): boolean {
  return namesOf.get(role)!.has(plain(name));
}

const roleByName = new Map(
  [...namesOf].flatMap(([role, names]) => [...names].map((name) => [name, role as Role] as const)).reverse(),
);

/** The role that has a column of this very name; undefined where none has. */
export function namedRole(name: string): Role | undefined {
  return roleByName.get(plain(name));
}

/**
 * The role whose usual name, or mark of a text, a column has; undefined where it has none.
 *
 * @example usualRole('Speaker ID') // 'speaker'
 */
export function usualRole(name: string): Role | undefined {
  const mark = markOf(name);
  return namedRole(name) ?? (mark === 'output' ? 'hypothesis' : mark === 'unknown' ? undefined : 'reference');
}

/** Parts of a name, without numbers at their ends. */
function tokensOf(name: string): string[] {
  return folded(name.normalize('NFC').replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1_$2'))
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .map((token) => token.replace(/(?<=\p{L})\p{N}+$/u, ''))
    .filter((token) => token !== '');
}

const outputTokens = new Set(
  listOf(`
  hyp hyps hypothesis hypotheses hypothese hypothesen pred preds predicted prediction predictions asr stt output outputs result results recognized recognised
  recognition decoded machine automatic auto generated inferred rec res ai ki llm heard erkannt erkannter erkannte erkennung maschinell automatisch
  reconnu reconnue reconnaissance automatique obtenu obtenue reconocido reconocida obtenido obtenida automatico automatica reconhecido obtido
  riconosciuto ottenuto herkend herkende распознано распознавание гипотеза 识别结果 認識結果`).map(folded),
);
/** What recognizers, and those that people compare, are called. */
const recognizerTokens =
  'whisper|wav2vec|hubert|wavlm|deepgram|google|gcp|azure|microsoft|amazon|aws|assembly|speechmatics|revai|nemo|canary|parakeet|conformer|fastconformer|citrinet|quartznet|jasper|riva|vosk|kaldi|sphinx|pocketsphinx|deepspeech|coqui|silero|espnet|owsm|moonshine|gemini|gpt|openai|scribe|elevenlabs|gladia|soniox|ibm|watson|mms|seamless|qwen|voxtral|granite|sensevoice|paraformer|funasr|distil|crisper|zipformer|icefall|speechbrain|wenet|baidu|yandex|clova|model|system|engine|recogni[sz]er|baseline|finetuned|greedy|beam';
const recognizerName = new RegExp(`^(?:${recognizerTokens})`);
/** Whoever published a data set recognized nothing in it: `google/fleurs`, as Hugging Face calls it. */
const publisher =
  /(?<![\p{L}\p{N}])(?:google(?=[\W_]+(?:fleurs|speech[\W_]?commands|xtreme[\W_]?s|cvss))|espnet(?=[\W_]+yodas))/giu;
const referenceTokens = new Set(
  referenceNames
    .filter((name) => !name.includes('_'))
    .concat('annotated', 'annotation', 'annotations', 'annotator')
    .map(folded),
);
/** What somebody made of a text who read it again: of what a recognizer wrote, the words that were said. */
const readAgainTokens = new Set(
  'corrected correction corrections edited edit verified confirmed revised reviewed proofread korrigiert korrektur corrigé corrigée corregido corregida corretto corretta'.split(
    ' ',
  ),
);
/** What services call the places in their JSON, whosever words stand there: `annotations.result.value`. */
const placeTokens = new Set(['result', 'results', 'output', 'outputs', 'value', 'data']);
/** What is added to the name of a text in another spelling. */
const spellingTokens = listOf(
  'norm normalized normalised normal clean cleaned lower lowercase cased uncased punct punctuated processed',
);
/** The same, and what is added to the name of what others were made from: another spelling, or another text. */
const formTokens = new Set([...spellingTokens, ...listOf('raw original orig')]);
const isSpelling = new Set(spellingTokens);

/** What the last word of a name says of a column that holds no words, whosever they are: `asr_confidence`, `result_id`. */
const measureTokens = new Set(
  'id ids index path file filename url uri score scores confidence conf prob probability logprob loss time times timestamp timestamps offset start end duration length len seconds sec ms rate rtf version date status type format count number num language lang locale wer cer mer wil ser accuracy distance errors insertions deletions substitutions hits tokens tokenid bleu audio wav'.split(
    ' ',
  ),
);

const wasReadAgain = (tokens: readonly string[]) => tokens.some((token) => readAgainTokens.has(token));
const [references, words, vague] = [plainOf(referenceNames), plainOf(wordNames), plainOf(vagueNames)];
/** German writes two words as one: Referenztranskript, Erkennungstext. */
const saysOneOf = (tokens: ReadonlySet<string>, token: string) =>
  tokens.has(token) || tokens.has(token.replace(/(?<=.{3})[sn]?(?:text|satz|transkript|transkription)$/, ''));

/** What a name says of a column of words: nothing is `unknown`. */
export type TextMark = 'output' | 'reference' | 'words' | 'vague' | 'unknown';

/**
 * What a name says of a column of words. The mark of a recognizer counts more than all else: `ref_hyp` is a hypothesis, `target_pred` a prediction.
 *
 * @example [markOf('whisper_small'), markOf('Ground Truth'), markOf('text')] // ['output', 'reference', 'words']
 */
export function markOf(name: string): TextMark {
  const own = plain(name);
  const all = tokensOf(name.replace(publisher, ''));
  const told = all.filter((token) => !placeTokens.has(token));
  const tokens = name.includes('.') && told.length > 0 ? told : all;
  if (isCalled(name, 'hypothesis')) return 'output';
  if (tokens.length > 1 && measureTokens.has(tokens.at(-1)!)) return 'unknown';
  // A reference model is one that others are compared with.
  if (tokens.length > 1 && /^(?:model|system|engine|recogni[sz]er)$/.test(tokens.at(-1)!)) return 'output';
  const isReference =
    references.has(own) || tokens.some((token) => saysOneOf(referenceTokens, token)) || /ground_?truth/.test(own);
  const outputs = tokens.filter((token) => saysOneOf(outputTokens, token));
  // An expected output, or a result by hand, is no recognizer's.
  if (outputs.length > 0 && !(isReference && outputs.every((token) => placeTokens.has(token)))) return 'output';
  if (isReference) return 'reference';
  if (tokens.some((token) => recognizerName.test(token))) return 'output';
  if (wasReadAgain(tokens)) return 'reference';
  if (words.has(own)) return 'words';
  // `label_str`, `target_text`, as programs of Hugging Face write them.
  if (vague.has(own.replace(/_(?:str|strs|text)$/, ''))) return 'vague';
  const rest = tokens.filter((token) => !formTokens.has(token));
  return rest.length < tokens.length && words.has(rest.join('_')) ? 'words' : 'unknown';
}

/**
 * Whether a column is called after what all recognizers do, and after none of them: beside one other column of the same words, that is what was said.
 *
 * @example [isCalledHeard('predicted_text'), isCalledHeard('whisper')] // [true, false]
 */
export function isCalledHeard(name: string): boolean {
  return /^(?:hyp|hypothesis|pred|predicted|prediction|recogni[sz]ed|heard)(?:_(?:text|words|transcript|sentence))?$/.test(
    plain(name),
  );
}

/**
 * What the name of a file or folder says of the texts in it, else that of the folder around it: null where neither says.
 *
 * @example ['predictions.csv', 'whisper/a.txt', 'gold.tsv', 'asr/list.csv'].map(sideOfPath) // ['output', 'output', 'reference', 'output']
 */
export function sideOfPath(path: string): 'output' | 'reference' | null {
  const [name = '', folder = ''] = path
    .replace(publisher, '')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse();
  const marks = [name.replace(/\.[^.]+(?:\.gz)?$/, ''), folder].map(markOf);
  return marks.find((mark) => mark === 'output' || mark === 'reference') ?? null;
}

/**
 * Whether a column holds another in other spelling, by their names: `text_norm` beside `text`. What was corrected was another text before.
 */
export function isFormOf(name: string, other: string): boolean {
  const tokens = tokensOf(name);
  const rest = tokens.filter((token) => !isSpelling.has(token));
  const its = tokensOf(other);
  return rest.length < tokens.length && rest.join('_') === its.join('_') && !wasReadAgain(its);
}

/** Whether a name says that it is a text in another spelling. */
export function isForm(name: string): boolean {
  return tokensOf(name).some((token) => formTokens.has(token));
}

const ranks: readonly TextMark[] = ['reference', 'words', 'vague'];

/**
 * Columns that may be the reference, by their names: those that say most of it, without other spellings of them. One: it is; several: somebody has
 * to say.
 *
 * @example referencesAmong(['gold', 'text', 'hyp']) // ['gold']
 */
export function referencesAmong(names: readonly string[]): string[] {
  const best = ranks.find((rank) => names.some((name) => markOf(name) === rank));
  const found = names.filter((name) => markOf(name) === best);
  return found.filter((name) => !found.some((other) => isFormOf(name, other)));
}

/**
 * The column of what was recognized, in a table that holds no other texts: the only one that is called so or after a recognizer, else the only one that
 * holds words. Undefined where none is, or more than one.
 */
export function hypothesisColumn(names: readonly string[]): string | undefined {
  const usual = usualColumn(names, 'hypothesis');
  if (usual !== undefined) return usual;
  // What is called system, or says who listened, has a role of its own.
  const texts = names.filter((name) => ['reference', undefined].includes(namedRole(name)));
  const marked = (mark: TextMark) =>
    texts.filter((name) => markOf(name) === mark && !texts.some((other) => other !== name && isFormOf(name, other)));
  const outputs = marked('output');
  const [found, ...others] = outputs.length > 0 ? outputs : marked('words');
  return others.length === 0 ? found : undefined;
}
