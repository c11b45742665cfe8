const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Titles before a ruler's name. */
export const rulers: ReadonlySet<string> = list(`
  King Queen Pope Emperor Empress Tsar Czar Tsarina Kaiser Sultan Shah Prince Princess Duke Duchess Count Pharaoh Saint
  Patriarch Caliph Antipope Grand Archduke Elector Khan Maharaja Baron Earl Lord Landgrave Margrave`);

/** Names that rulers bore and popes took, where even a single I, V or X is a number. */
export const regnalNames: ReadonlySet<string> = list(`
  Henry Louis Elizabeth George Edward Charles James William Richard Mary John Paul Pius Benedict Leo Gregory Innocent
  Clement Urban Nicholas Peter Alexander Catherine Frederick Philip Ferdinand Napoleon Wilhelm Otto Ramesses Ramses
  Rameses Ptolemy Thutmose Amenhotep Seti Cleopatra Xerxes Darius Cyrus Artaxerxes Constantine Justinian Theodosius
  Leopold Albert Gustav Gustavus Christian Harald Harold Olaf Malcolm Robert Alfonso Alphonse Carlos Isabella Francis
  Franz Joseph Josef Umberto Emmanuel Victor Ivan Boris Michael Theodore Sixtus Julius Boniface Celestine Stephen
  Margaret Margrethe Haakon Carl Karl Abdullah Mehmed Murad Selim Suleiman Osman Akbar Rama Callixtus Eugene Adrian
  Hadrian Honorius Martin Sylvester Hussein Farouk Fuad Juan Felipe Luis Pedro Manuel Baldwin Bela Casimir Sigismund
  Vladislaus Mithridates Antiochus Seleucus Tiberius Trajan Rudolf Rudolph Maximilian Matthias Ludwig Philippe Baudouin
  Rainier Hassan Mohammed Selassie Nebuchadnezzar Tiglath Sargon Tutankhamun Psamtik Shapur Khosrow Rajaram Kamehameha`);

/** Given names of today, after which II to X is a generation ("John Smith III"). */
export const givenNames: ReadonlySet<string> = list(`
  Thomas David Daniel Mark Donald Steven Andrew Kenneth Joshua Kevin Brian Ronald Timothy Jason Jeffrey Ryan Jacob Gary
  Eric Jonathan Larry Justin Scott Brandon Benjamin Samuel Raymond Patrick Jack Dennis Jerry Tyler Aaron Jose Adam Nathan
  Douglas Zachary Kyle Walter Ethan Jeremy Keith Noah Roger Terry Sean Arthur Lawrence Jesse Dylan Bryan Joe Jordan Billy
  Bruce Ralph Roy Randy Wayne Howard Ernest Alfred Theodore Marcus Herbert Harry Fred Davis Sammy Hank Cornelius Loudon
  Calvin Otis Percy Sidney Lewis Earl Gordon Warren Winston Oliver Vincent Max Felix Hugo Simon Philip Anthony Matthew
  Christopher Ken Robert Bob Bill Jim Jimmy Tom Tommy Sam Frank Frederic Edwin Edmund Edgar Eugene Elliott Everett`);

/** Of women, beside those above: who has letters of a degree behind the name ("Jane Roe, MD"). */
export const womensNames: ReadonlySet<string> = list(`
  Jane Susan Linda Patricia Jennifer Barbara Jessica Sarah Karen Lisa Nancy Betty Sandra Ashley Emily Kimberly Donna Michelle Carol
  Amanda Melissa Deborah Stephanie Rebecca Sharon Laura Cynthia Kathleen Amy Angela Shirley Anna Brenda Pamela Emma Nicole Helen
  Samantha Katherine Christine Debra Rachel Carolyn Janet Heather Diane Julie Joyce Kelly Alice Ann Anne Jean Judith Olivia Sophia
  Grace Ruth Julia Claire Maria Martha Teresa Theresa Sara Kathryn Eleanor Lucy Ellen Joan Susanna Hannah Megan Allison Alison`);

/** Things that are counted with Roman numerals, in capitals or (the first line) small letters too. */
export const countedThings: ReadonlySet<string> = list(`
  chapter part act scene volume book section article title phase stage appendix figure table canto psalm verse paragraph
  chapters parts acts scenes volumes books sections articles phases stages appendices tables
  war bowl type class grade level tier mark schedule annex category division region protocol amendment corps episode
  season series apollo saturn soyuz gemini symphony sonata opus number day round lesson unit module exercise problem
  question theorem lemma step trial wrestlemania`);
