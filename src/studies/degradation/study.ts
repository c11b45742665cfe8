/** As findings name it, those of tables that somebody already has too. A change of a finding raises the version. */
export const study = { name: 'degradation', version: 11 };
