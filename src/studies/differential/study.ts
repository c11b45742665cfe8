/** As findings name it, those of verified and of compared cases too. A change of a finding raises the version. */
export const study = { name: 'differential', version: 8 };
