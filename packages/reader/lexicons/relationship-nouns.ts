import type { Wordings } from './wordings.ts'

/** Nouns by which a question asks for somebody or something: "Anna's boss", "my car". They match as whole words. */
export const RELATIONSHIP_NOUNS = {
  boss: {
    en: [/boss|bosses|manager|supervisor|team lead|line manager/u],
    de: [/chef|chefin|vorgesetzter?/u],
    es: [/jef[ea]/u],
    fr: [/patron|cheffe|supérieure?/u],
  },
  report: {
    en: [/direct reports?|subordinates?|team members?|assistants?/u],
    de: [/mitarbeiter/u],
    fr: [/subordonnée?s/u],
  },
  spouse: {
    en: [/wife|husband|spouse/u],
    de: [/ehefrau|ehemann|frau|mann/u],
    es: [/esposa|esposo|marido|mujer/u],
    fr: [/épouse|époux|mari|femme/u],
  },
  mother: {
    en: [/mother(?![- ]in[- ]law)|mum|mom|mama/u],
    de: [/mutter/u],
    es: [/madre|mamá/u],
    fr: [/mère|maman/u],
  },
  father: {
    en: [/father(?![- ]in[- ]law)|dad|papa/u],
    de: [/vater/u],
    es: [/padre|papá/u],
    fr: [/père/u],
  },
  parent: { en: [/parents?(?![- ]in[- ]law)/u], de: [/eltern/u], es: [/padres/u] },
  /** Whoever has one of these is a parent. */
  offspring: {
    en: [/daughter(?![- ]in[- ]law)|son(?![- ]in[- ]law)|kids?|child|children/u],
    de: [/tochter|sohn/u],
    es: [/hij[oa]/u],
    fr: [/fils|fille/u],
  },
  son: { en: [/sons?(?![- ]in[- ]law)/u], de: [/sohn|söhne/u], es: [/hijo/u], fr: [/fils/u] },
  daughter: {
    en: [/daughters?(?![- ]in[- ]law)/u],
    de: [/tochter|töchter/u],
    es: [/hija/u],
    fr: [/fille/u],
  },
  child: { en: [/child|children|kids?/u], de: [/kind|kinder/u], es: [/hijos/u], fr: [/enfants?/u] },
  boy: { en: [/boys?|twins|baby/u] },
  girl: { en: [/girls?|twins|baby/u] },
  brother: { en: [/brothers?(?![- ]in[- ]law)/u], de: [/bruder|brüder/u], es: [/hermanos?/u], fr: [/frères?/u] },
  sister: {
    en: [/sisters?(?![- ]in[- ]law)/u],
    de: [/schwestern?/u],
    es: [/hermanas?/u],
    fr: [/sœurs?|soeurs?/u],
  },
  brotherInLaw: { en: [/brothers?[- ]in[- ]law/u], de: [/schwager/u], es: [/cuñado/u], fr: [/beau-frère/u] },
  sisterInLaw: { en: [/sisters?[- ]in[- ]law/u], de: [/schwägerin/u], es: [/cuñada/u], fr: [/belle-sœur/u] },
  motherInLaw: { en: [/mother[- ]in[- ]law/u], de: [/schwiegermutter/u], es: [/suegra/u], fr: [/belle-mère/u] },
  fatherInLaw: { en: [/father[- ]in[- ]law/u], de: [/schwiegervater/u], es: [/suegro/u], fr: [/beau-père/u] },
  sonInLaw: { en: [/sons?[- ]in[- ]law/u], de: [/schwiegersohn/u], es: [/yerno/u], fr: [/gendre/u] },
  daughterInLaw: { en: [/daughters?[- ]in[- ]law/u], de: [/schwiegertochter/u], es: [/nuera/u], fr: [/belle-fille/u] },
  parentsInLaw: {
    en: [/parents[- ]in[- ]law|in-laws/u],
    de: [/schwiegereltern/u],
    es: [/suegros/u],
    fr: [/beaux-parents/u],
  },
  cousin: { en: [/cousins?/u], es: [/prim[oa]s?/u], fr: [/cousine/u] },
  aunt: { en: [/aunts?/u], de: [/tanten?/u], es: [/tías?/u] },
  uncle: { en: [/uncles?/u], de: [/onkel/u], es: [/tíos?/u], fr: [/oncles?/u] },
  grandmother: { en: [/grandmother|grandma/u], de: [/oma|großmutter/u], es: [/abuela/u], fr: [/grand-mère/u] },
  grandfather: { en: [/grandfather|grandpa/u], de: [/opa|großvater/u], es: [/abuelo/u], fr: [/grand-père/u] },
  relative: {
    en: [/siblings?|relatives?|family/u],
    de: [/geschwister|familie/u],
    es: [/familia/u],
    fr: [/famille/u],
  },
  friend: { en: [/friends?/u], de: [/freund|freundin|freunde/u], es: [/amig[oa]s?/u], fr: [/amie?s?/u] },
  colleague: {
    en: [/colleagues?|co-?workers?|teammates?/u],
    de: [/kolleg(?:e|in|en|innen)/u],
    es: [/colegas?|compañer[oa]s?/u],
    fr: [/collègues?/u],
  },
  founder: {
    en: [/founders?|creators?|authors?|inventors?/u],
    de: [/gründer(?:in)?|autor(?:in|a)?/u],
    es: [/fundador(?:a|es)?/u],
    fr: [/fondat(?:eur|rice)|auteure?/u],
  },
  owner: { en: [/owners?/u], de: [/besitzer(?:in)?/u], es: [/dueñ[oa]/u], fr: [/propriétaire/u] },
  member: { en: [/members/u], de: [/mitglieder/u], es: [/miembros/u], fr: [/membres/u] },
  employee: { en: [/employees|staff/u], de: [/angestellte/u], es: [/empleados/u], fr: [/employés/u] },
} as const satisfies Readonly<Record<string, Wordings>>

/** Belongings, and further words by which a text tells that somebody has one. */
export const BELONGINGS = {
  car: { en: [/cars?/u], de: [/auto|wagen/u], es: [/coche/u], fr: [/voiture/u] },
  driving: { en: [/driv(?:e|es|ing)/u], de: [/fahre?|fährt/u], es: [/conduzco/u], fr: [/conduis/u] },
  phone: { en: [/phones?|smartphone/u], de: [/handy|telefon/u], es: [/teléfono|móvil/u], fr: [/téléphone/u] },
  phoneBrand: { en: [/iphone/u] },
  bike: { en: [/bikes?|bicycle/u], de: [/fahrrad/u], es: [/bicicleta|bici/u], fr: [/vélo/u] },
  computer: { en: [/laptop|computer/u], es: [/ordenador/u], fr: [/ordinateur/u] },
  camera: { en: [/camera/u], de: [/kamera/u], es: [/cámara/u] },
  dog: { en: [/dogs?/u], de: [/hunde?/u], es: [/perr[oa]s?/u], fr: [/chiens?/u] },
  puppy: { en: [/pupp(?:y|ies)/u] },
  cat: { en: [/cats?/u], de: [/katzen?/u], es: [/gat[oa]s?/u], fr: [/chat/u] },
  kitten: { en: [/kittens?/u], de: [/kater/u], fr: [/chats/u] },
  pet: { en: [/pets?/u], de: [/haustiere?/u], es: [/mascotas?/u] },
} as const satisfies Readonly<Record<string, Wordings>>

/** People whom somebody has for what they do. */
export const CALLINGS: readonly Wordings[] = [
  { en: [/dentists?/u], de: [/zahn(?:arzt|ärztin)/u], es: [/dentista/u], fr: [/dentiste/u] },
  { en: [/doctors?|gp|physician/u], de: [/arzt|ärztin/u], es: [/médic[oa]/u], fr: [/médecin/u] },
  {
    en: [/therapists?|psychologist/u],
    de: [/therapeut(?:in)?/u],
    es: [/terapeuta|psicólog[oa]/u],
    fr: [/thérapeute/u],
  },
  { en: [/physiotherapists?|physio/u] },
  { en: [/coach|coaches|trainers?/u], es: [/entrenador[a]?/u], fr: [/entraîneur/u] },
  { en: [/teachers?|tutors?/u], de: [/lehrer(?:in)?/u], es: [/profesor[a]?/u], fr: [/professeure?/u] },
  { en: [/landlords?|landlady/u], de: [/vermieter(?:in)?/u], es: [/caser[oa]/u], fr: [/propriétaire/u] },
  { en: [/neighbou?rs?/u], de: [/nachbar(?:in|n|innen)?/u], es: [/vecin[oa]s?/u], fr: [/voisine?s?/u] },
  {
    en: [/flatmates?|roommates?|housemates?/u],
    de: [/mitbewohner(?:in)?/u],
    es: [/compañer[oa] de piso/u],
    fr: [/colocataires?/u],
  },
  { en: [/mentors?/u], es: [/mentor[a]?/u] },
  { en: [/accountants?/u], de: [/steuerberater(?:in)?/u], es: [/contable/u], fr: [/comptable/u] },
  { en: [/lawyers?|solicitors?|attorneys?/u], de: [/anw[äa]lt(?:in)?/u], es: [/abogad[oa]/u], fr: [/avocate?/u] },
  { en: [/hairdressers?|barbers?/u], de: [/friseur(?:in)?/u], es: [/peluquer[oa]/u], fr: [/coiffeu(?:r|se)/u] },
]
