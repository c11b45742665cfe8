import type { Voice } from '../contract.ts';

/** Prints one line for each installed voice: name, language, gender, dialect. Descriptions are loaded with the voice. */
export const voicesExpression = `(mapcar
  (lambda (name)
    (let ((about (cadr (assoc name Voice_descriptions))))
      (format t "voice %l %l %l %l\\n" name
        (cadr (assoc 'language about)) (cadr (assoc 'gender about)) (cadr (assoc 'dialect about)))))
  (voice.list))`;

/** Languages as voices name them. */
const languages: Readonly<Record<string, string>> = {
  english: 'en',
  american: 'en-US',
  britishenglish: 'en-GB',
  americanenglish: 'en-US',
  scottishenglish: 'en-GB',
  spanish: 'es',
  welsh: 'cy',
  italian: 'it',
  finnish: 'fi',
  german: 'de',
  czech: 'cs',
  russian: 'ru',
  catalan: 'ca',
  hindi: 'hi',
  telugu: 'te',
  marathi: 'mr',
  polish: 'pl',
};

const dialects: Readonly<Record<string, string>> = {
  american: 'US',
  us: 'US',
  british: 'GB',
  uk: 'GB',
  scottish: 'GB',
};

/** Reads what `voicesExpression` printed. A voice whose language is not known is said to speak `und`. */
export function parseVoices(printed: string): Voice[] {
  const lines = printed.matchAll(/^voice ([\w-]+) (\S+) (\S+) (\S+)$/gm);
  return [...lines].map(([, name, language, gender, dialect]) => {
    const primary = languages[language!.toLowerCase()] ?? 'und';
    const region = primary === 'en' ? dialects[dialect!.toLowerCase()] : undefined;
    return {
      name: name!,
      language: region === undefined ? primary : `${primary}-${region}`,
      attributes: {
        ...(gender === 'male' || gender === 'female' ? { sex: gender } : {}),
        ...(dialect === 'nil' || dialect === 'none' ? {} : { accent: dialect! }),
      },
    };
  });
}
