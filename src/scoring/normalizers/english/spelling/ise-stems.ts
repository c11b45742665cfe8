/**
 * Stems of verbs that the British table writes with -ise or -yse and the American with -ize or -yze, by the endings that
 * the table has for them: `organi` and `e` make `organise`, which becomes `organize`.
 */
export const stemsByEndings: readonly (readonly [endings: string, stems: string])[] = [
  [
    'e ed es ing',
    `
    accessori analy anglici antagoni apologi authori bapti bastardi bowdleri brutali canali cannibali canoni
    capitali carameli carboni cataly categori cauteri centrali characteri circulari civili collectivi
    commerciali compartmentali computeri conceptuali contextuali criminali critici customi demoni deodori
    depersonali deputi digiti economi editoriali empathi emphasi energi epitomi eulogi evangeli exorci factori
    fantasi femini galvani ghettoi glamori homogeni humani hybridi hypnoti hypothesi idoli immortali individuali
    industriali initiali intellectuali italici itemi jeopardi legitimi locali magneti memori memoriali mesmeri
    metaboli militari minimi moderni morali optimi ostraci overemphasi paraly particulari penali personali
    philosophi plagiari propagandi psychoanaly publici radicali randomi revitali revolutioni rhapsodi romantici
    saniti satiri scandali scrutini sensationali sensiti sentimentali sermoni signali sodomi solemni summari
    symboli tempori tenderi terrori theori traumati triviali tyranni vandali verbali
    `,
  ],
  [
    'ation e ed es ing',
    `
    acclimati crystalli decentrali decriminali dehumani demilitari demobili democrati demorali denationali
    desensiti destabili extempori familiari finali formali fossili fraterni globali harmoni hospitali ideali
    immuni institutionali internali internationali legali liberali lioni marginali materiali maximi mechani
    miniaturi mobili monopoli naturali neutrali normali oxidi passivi pasteuri pedestriani polari politici
    populari pressuri prioriti professionali pulveri regulari seculari sociali standardi stigmati synchroni
    systemati unioni urbani vapori victimi vulgari westerni
    `,
  ],
  [
    'ation ations e ed es ing',
    `
    dramati externali fictionali generali nationali privati rationali reorgani seriali speciali visuali vocali
    `,
  ],
  [
    'ed',
    `
    annuali motori rituali transistori unauthori uncivili underutili unorgani vulcani
    `,
  ],
  ['e ed er ers es ing', 'breathaly liquidi moisturi proselyti sympathi synthesi womani'],
  ['ation e ed er ers es ing', 'coloni equali fertili immobili ioni stabili subsidi'],
  ['e ed es ing ingly', 'agoni patroni tantali'],
  ['able ation ations e ed es ing', 'amorti reali'],
  ['ement', 'aggrandi'],
  ['er ers ing ingly', 'appeti'],
  ['ation ed', 'disorgani'],
  ['ation ational ations e ed er ers es ing', 'organi'],
  ['able ably e ed es ing', 'recogni'],
  ['ation ations e ed er ers es ing', 'sterili'],
  ['able ed', 'unrecogni'],
  ['able ation e ed es ing', 'utili'],
];
