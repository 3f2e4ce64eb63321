/** Nouns for the people whom somebody has, by what they are to whoever has them. */
export type Kin = 'spouse' | 'child' | 'parent' | 'relative' | 'acquaintance' | 'colleague' | 'boss' | 'report'

export const KIN_NOUNS: Readonly<Record<Kin, Readonly<Record<string, readonly string[]>>>> = {
  spouse: {
    en: ['wife', 'husband', 'spouse', 'hubby', 'better half', 'ex-wife', 'ex-husband', 'ex wife', 'ex husband'],
    de: 'ehefrau ehemann frau mann'.split(' '),
    es: 'esposa esposo marido mujer'.split(' '),
    fr: 'femme mari épouse époux'.split(' '),
  },
  child: {
    en: 'son daughter sons daughters child children kid kids baby toddler stepdaughter boy girl twins'.split(' '),
    de: 'sohn tochter kinder kind söhne töchter'.split(' '),
    es: 'hijo hija hijos hijas bebé'.split(' '),
    fr: 'fils fille enfants filles bebé'.split(' '),
  },
  parent: {
    en: 'mother father mum mom dad mama papa parents stepmother stepfather'.split(' '),
    de: 'mutter vater eltern'.split(' '),
    es: 'madre padre mamá papá padres'.split(' '),
    fr: 'mère père maman parents'.split(' '),
  },
  relative: {
    en: [
      ...`brother sister brothers sisters cousin cousins aunt uncle grandmother grandfather grandma grandpa grandson granddaughter nephew niece
        mother-in-law father-in-law sister-in-law brother-in-law son-in-law daughter-in-law in-laws godmother godfather godparents half-brother
        half-sister stepbrother stepsister stepson grandparents great-aunt great-uncle twin relative`.split(/\s+/),
      'brother in law',
      'sister in law',
      'mother in law',
      'father in law',
      'son in law',
      'daughter in law',
    ],
    de: 'bruder schwester geschwister cousine tante onkel oma opa großmutter großvater neffe nichte'.split(' '),
    es: 'hermano hermana hermanos primo prima tía tío abuela abuelo sobrino sobrina suegra suegro'.split(' '),
    fr: 'frère soeur sœur cousin cousine oncle grand-mère grand-père neveu nièce beau-frère belle-mère'.split(' '),
  },
  acquaintance: {
    en: `girlfriend boyfriend partner fiancé fiancée fiance fiancee ex-girlfriend ex-boyfriend ex lawyer accountant nanny babysitter tutor
      hairdresser vet friend friends neighbour neighbor neighbours neighbors roommate roommates flatmate housemate buddy mate pal classmate
      doctor dentist therapist cardiologist physiotherapist teacher coach trainer landlord landlady mentor gp`.split(
      /\s+/,
    ),
    de: 'freund freundin freunde nachbar nachbarin mitbewohner mitbewohnerin arzt ärztin'.split(' '),
    es: 'novia novio pareja amigo amiga vecino vecina'.split(' '),
    fr: 'copine copain compagne compagnon amis ami amie voisin voisine colocataire médecin'.split(' '),
  },
  colleague: {
    en: `colleague colleagues coworker coworkers co-worker co-workers teammate teammates co-founder cofounder
      collaborator`.split(/\s+/),
    de: 'kollege kollegin kollegen'.split(' '),
    es: 'colega compañero compañera'.split(' '),
    fr: ['collègue', 'collègues'],
  },
  boss: {
    en: ['boss', 'manager', 'supervisor', 'team lead', 'line manager'],
    de: 'chef chefin vorgesetzte vorgesetzter'.split(' '),
    es: ['jefe', 'jefa'],
    fr: ['cheffe', 'responsable'],
  },
  report: { en: ['direct report', 'direct reports', 'assistant', 'intern'] },
}
