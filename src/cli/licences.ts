/** A package (or the beginning of the names of its parts) under a licence with conditions, used unmodified, replaceable, and loaded only when it is needed. */
export interface ConditionalLicence {
  readonly package: string;
  readonly licence: string;
  readonly usedFor: string;
}

/** Every LGPL or MPL part of the production tree. GPL programs are only ever run, never loaded. */
export const conditionalLicences: readonly ConditionalLicence[] = [
  { package: 'codec-parser', licence: 'LGPL-3.0-or-later', usedFor: 'reading Ogg Vorbis and Ogg Opus' },
  { package: 'mpg123-decoder', licence: 'MIT, around mpg123 under LGPL-2.1', usedFor: 'reading MP3' },
  {
    package: '@img/sharp-',
    licence: 'Apache-2.0, around libvips under LGPL-3.0-or-later',
    usedFor: 'nothing: transformers.js loads it for pictures',
  },
  { package: 'wasm-media-encoders', licence: 'MIT, around LAME under LGPL-2.0', usedFor: 'sending sound through MP3' },
];
