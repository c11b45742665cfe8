/** The older abbreviations of states, which end with a dot. */
export const olderStates: ReadonlyMap<string, string> = new Map(
  `Ala alabama|Ariz arizona|Ark arkansas|Calif california|Colo colorado|Conn connecticut|Del delaware|Fla florida|Ga georgia
Ill illinois|Ind indiana|Kan kansas|Ky kentucky|La louisiana|Mass massachusetts|Md maryland|Mich michigan|Minn minnesota
Miss mississippi|Mo missouri|Mont montana|Neb nebraska|Nev nevada|Okla oklahoma|Ore oregon|Pa pennsylvania
Tenn tennessee|Tex texas|Va virginia|Vt vermont|Wash washington|Wis wisconsin|Wyo wyoming`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)] as const),
);

/** States of the USA by their postal codes. */
export const states: ReadonlyMap<string, string> = new Map(
  `AL alabama|AK alaska|AZ arizona|AR arkansas|CA california|CO colorado|CT connecticut|DE delaware|FL florida|GA georgia
HI hawaii|ID idaho|IL illinois|IN indiana|IA iowa|KS kansas|KY kentucky|LA louisiana|ME maine|MD maryland|MA massachusetts
MI michigan|MN minnesota|MS mississippi|MO missouri|MT montana|NE nebraska|NV nevada|NH new hampshire|NJ new jersey
NM new mexico|NY new york|NC north carolina|ND north dakota|OH ohio|OK oklahoma|OR oregon|PA pennsylvania|RI rhode island
SC south carolina|SD south dakota|TN tennessee|TX texas|UT utah|VT vermont|VA virginia|WA washington|WV west virginia
WI wisconsin|WY wyoming|DC d c`
    .split(/[|\n]/)
    .map((entry) => [entry.slice(0, 2), entry.slice(3)] as const),
);
