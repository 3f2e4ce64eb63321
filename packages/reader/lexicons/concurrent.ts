/** Wordings that say of a job, a boss or a home that it is there beside another. */
export const BESIDE: Readonly<Record<string, readonly string[]>> = {
  en: [
    'also',
    'as well',
    'in addition',
    'additionally',
    'besides',
    'both',
    'side project',
    'second flat/apartment/house/boss/manager',
    'half the year/week',
    'dotted-line',
    'dotted line',
  ],
  de: ['auch', 'außerdem', 'nebenbei', 'nebenberuflich', 'zusätzlich', 'teilzeit'],
  es: ['también', 'además', 'a tiempo parcial'],
  fr: ['aussi', 'également', 'en plus', 'à temps partiel', 'à mi-temps', 'deuxième emploi/travail'],
}

/** Wordings that say so whatever else changed. */
export const SURELY_BESIDE: Readonly<Record<string, readonly string[]>> = {
  en: ['part-time', 'part time', 'on the side', 'side job/gig/hustle', 'second job/home'],
  de: ['zweitjob/zweitwohnung'],
  es: ['segundo trabajo/empleo'],
}

/** Wordings that say that one thing came after another, beside those of what no longer holds. */
export const CHANGES: Readonly<Record<string, readonly string[]>> = {
  en: ['moved/moving/joined/joining/switched/left/quit', 'changed jobs', 'instead', 'now', 'new job'],
  de: ['umgezogen', 'gewechselt', 'jetzt'],
  es: ['ahora', 'me mudé'],
  fr: ['maintenant', 'déménagé'],
}
