const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/));

/** Said letter by letter even in small letters, since these are no English words. */
export const spelledInSmallLetters: ReadonlySet<string> = list(`
  eu uk usa uae ussr un ec ecb ecj ep mep mp bbc cnn nbc cbs abc fbi cia nsa irs fda epa faa fcc cdc nhs ngo imf wto
  gdp gnp vat ceo cfo cto coo hr tv dvd cd pc cpu gpu usb url http https html css xml sql pdf api gps sms faq diy atm
  dna rna hiv mri iq id vip ufo suv phd mba bbq fyi rsvp lgbt ira nba nfl nhl mlb ibm bmw kfc dhl mtv hbo ftp ip
  io nz js ts py rs cpp txt xls xlsx csv xlsx docx htm svg jpg png tgv nj ny nyc dc`);

/** Said letter by letter in capitals, though they could be pronounced. */
export const spelledInCapitals: ReadonlySet<string> = list(`
  ACLU UCLA ASAP IAEA IEEE AOL NAACP NCAA EEOC OECD ICAO AARP ASCAP ESPN MSNBC NYPD LAPD USPS USDA USAF USCIS EEC EEA
  EFSA EMA EASA EUR USSR DOJ DOD DOE IAAF IUCN USMC ISBN ISSN UEA EDF ALS ADHD PTSD OCD ALDE EPP ECR`);

/** Words and abbreviations of three letters or less, by what stands around. */
export const spelledAfterThe: ReadonlySet<string> = list('WHO IT ICE');

/** Written in capitals and said as a word. */
export const saidAsWord: ReadonlySet<string> = list(`
  NATO NASA UNESCO UNICEF OPEC AIDS SARS COVID LASER RADAR SONAR SCUBA NAFTA ASEAN FIFA UEFA NASDAQ IKEA LEGO VISA
  SWAT SEAL SEALS FEMA OSHA HIPAA CERN ESA EURO JPEG GIF RAM ROM SIM PIN LAN WAN WIFI CAPTCHA ASCII UNIX LINUX BASIC
  COBOL FORTRAN BIOS SAT GRE LSAT MCAT TOEFL POTUS SCOTUS FLOTUS NIMBY YOLO MOMA OSCE FRONTEX INTERPOL EUROPOL ERASMUS
  CEDEFOP EFTA GATT GAAP NICE PAC DARPA DEFCON MASH RICO PETA ZIP NORAD SALT START TARP CHIP DREAM MERCOSUR LED`);

/** Everyday words that people write in capitals for stress, up to three letters. */
export const stressedWords: ReadonlySet<string> = list(`
  A I O AM AN AS AT BE BY DO GO HE IF IN IS IT ME MY NO OF OH ON OR SO TO UP WE ALL AND ANY ARE ASK BAD BAN BAR BAT BED
  BIG BIT BOX BOY BUS BUT BUY CAN CAR CAT CRY CUT DAD DAY DID DIE DOG DRY EAR EAT EGG END EYE FAN FAR FEW FIT FIX FLY
  FOR FUN GET GOD GOT GUN GUY HAD HAS HAT HER HEY HIM HIS HIT HOT HOW ICE ILL ITS JOB JOY KEY KID LAW LAY LET LIE LOT
  LOW MAD MAN MAP MAY MEN MET MIX MOM MUD NEW NOR NOT NOW ODD OFF OIL OLD ONE OUR OUT OWN PAY PER PUT RED RUN SAD SAW
  SAY SEA SEE SET SHE SIT SIX SKY SON SUN TAX TEA TEN THE TOO TOP TRY TWO USE VAN VIA WAR WAS WAY WET WHO WHY WIN WOW
  YES YET YOU ZOO`);
