import { codes, type ServiceFacts } from './service.ts';

/**
 * Languages of IBM's models (github.com/ibm-cloud-docs/speech-to-text: models-large-speech-language.md of 2026-06, models-ng.md of 2022-11,
 * models.md of 2023-01). The first of a language is its default.
 */
const ibmLanguages: Readonly<Record<string, readonly string[]>> = {
  large: codes(`
    en-US en-AU en-GB en-IN de-DE es-ES es-AR es-CL es-CO es-MX es-PE fr-FR fr-CA it-IT ja-JP nl-NL pt-BR pt-PT
  `),
  Multimedia: codes('en-US en-AU en-GB de-DE es-ES fr-FR fr-CA it-IT ja-JP ko-KR nl-NL pt-BR'),
  Telephony: codes(`
    en-US en-AU en-GB en-IN ar-MS cs-CZ de-DE es-ES es-LA es-419 es-AR es-CL es-CO es-MX es-PE fr-FR fr-CA hi-IN it-IT
    ko-KR nl-NL nl-BE pt-BR sv-SE zh-CN
  `),
  BroadbandModel: codes(`
    en-US en-AU en-GB ar-MS de-DE es-ES es-AR es-CL es-CO es-MX es-PE fr-FR fr-CA it-IT ja-JP ko-KR nl-NL pt-BR
    zh-CN
  `),
  NarrowbandModel: codes(`
    en-US en-AU en-GB de-DE es-ES es-AR es-CL es-CO es-MX es-PE fr-FR fr-CA it-IT ja-JP ko-KR nl-NL pt-BR zh-CN
  `),
};

/** A model by its whole name, as `en-US_Telephony`, or `en-US` of a large one. */
const wholeName = /^([a-z]{2}-[A-Z]{2})(_|$)/;

/** The name of a model for a language, as IBM makes it. */
export function ibmModel(model: string, language: string | null): string {
  if (wholeName.test(model) || language === null) return model;
  // Large speech models have the language's name alone.
  if (model === 'large') return language;
  // One telephony model hears all of Latin America.
  const locale = model === 'Telephony' ? language.replace(/^es-(?:419|AR|CL|CO|MX|PE)$/, 'es-LA') : language;
  return `${locale}_${model}`;
}

/** https://cloud.ibm.com/apidocs/speech-to-text ("Recognize audio"). Models of the papers end in BroadbandModel; IBM withdrew them in 2023. */
export const ibmFacts: ServiceFacts = {
  title: 'IBM Watson Speech to Text',
  documentation: 'https://cloud.ibm.com/apidocs/speech-to-text',
  address: (region) => `https://api.${region}.speech-to-text.watson.cloud.ibm.com`,
  regions: ['us-south', 'us-east', 'eu-de', 'eu-gb', 'au-syd', 'jp-tok'],
  models: Object.keys(ibmLanguages),
  keyVariable: 'SPEECH_TO_TEXT_APIKEY',
  // IAM's tokens, which last an hour, are JSON in base64; keys are not.
  authorize: (key) => ({
    Authorization: key.startsWith('eyJ') ? `Bearer ${key}` : `Basic ${Buffer.from(`apikey:${key}`).toString('base64')}`,
  }),
  price: null,
  concurrency: 8,
  languages: [...new Set(Object.values(ibmLanguages).flat())],
  languagesOf(model) {
    const [, locale] = wholeName.exec(model) ?? [];
    // The world's: the dialects that the medical model hears.
    if (locale === 'en-WW') return ['en-US', 'en-AU', 'en-GB', 'en-IN'];
    return locale === undefined ? ibmLanguages[model] : [locale];
  },
};
