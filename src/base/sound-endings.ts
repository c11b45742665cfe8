/** How names of sound files, and of videos with sound, end. Which kind they are, their content says. */
export const soundEndings: readonly string[] =
  'wav wave flac mp3 mp2 ogg oga opus spx sph nist aif aiff aifc au snd caf w64 voc wv tta m4a m4b aac ac3 amr gsm wma mp4 m4v mov 3gp mkv mka webm avi flv'.split(
    ' ',
  );

/** Names that end so, in whatever case. */
export const soundEnding: RegExp = new RegExp(`\\.(?:${soundEndings.join('|')})$`, 'i');
