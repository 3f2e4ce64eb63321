/**
 * Words within names and around them by which it is told what they name, in English, German, Spanish and French at once, since names cross
 * languages. They are in lower case and without accents.
 */

/** The last word of an organization's name. */
export const ORGANIZATION_TAILS = `
  academy aerospace agency airlines airways analytics architects army association authority bakery band bank bank's biotech brewery brothers
  bros bv cafe capital centre center charity choir church city clinic club co co. collective college commission committee company consultants
  consulting cooperative corp corp. corporation council court department digital electric electronics elementary energy entertainment fc
  federation foods foundation gallery games gmbh group gymnasium health healthcare high hochschule holding holdings hospital hotel inc inc.
  industries institut institute institution insurance interactive kg klinik ag krankenhaus lab laboratories labs league library llc logistics
  ltd ltd. lycee media ministry motors museum nations navy networks nv observatory orchestra parish partners pharma pharmaceuticals pharmacy
  plc police preparatory press primary publishing records resort restaurant robotics s.a. sa school se service services society software
  solutions sons spa startup steel stiftung studio studios supermarket systems team technologies technology telecom telecommunications theater
  theatre trust union united universidad universitat universite university ventures verein works associates`
  .trim()
  .split(/\s+/)

/** The first word of an organization's name. */
export const ORGANIZATION_HEADS = `
  studio studios united university universidad universite universita universidade universitat tu bank banco banque banca hospital hopital
  hotel lycee college colegio escuela ecole instituto institute institut ministry department school academy museum museo musee club clinica
  clinique association fundacion fundacao fondation society order church royal restaurant cafe credit st. saint national federal klinikum
  uniklinik universitatsklinikum stadtwerke grupo groupe compagnie technische fachhochschule hochschule imperial massachusetts red`
  .trim()
  .split(/\s+/)

/** "Hartmann and Partners": after "and" one of these ends an organization's name. */
export const PARTNER_TAILS = 'partners sons co company associates'.split(' ')

/** These end a company's name and tell only its legal form; they are without a full stop at their end. */
export const LEGAL_FORMS = [
  ...`inc incorporated corp corporation ltd limited llc llp plc gmbh ag kg ug se sa s.a sas sarl srl s.r.l spa s.p.a bv b.v nv n.v oy ab as a/s co
    company`.split(/\s+/),
  'gmbh & co. kg',
]

/** The first word of a place's name. */
export const PLACE_HEADS = `
  mount mt mt. lake lago lac river rio isle island islands gulf cape cabo san santa santo sao sankt saint port puerto villa fort new north
  south east west los las el monte val costa upper lower greater republic kingdom bay playa ile`
  .trim()
  .split(/\s+/)

/** The last word of a place's name. */
export const PLACE_TAILS = `
  tower bridge castle palace cathedral temple plaza island islands river lake mountain mountains canyon valley beach bay park forest desert
  falls street st. road avenue square county province state district hills heights springs coast peninsula city town village national glacier
  fjord airport station`
  .trim()
  .split(/\s+/)

/** The first word of a product's name, mostly its maker's, or of an undertaking's. */
export const THING_HEADS = `
  project operation toyota honda ford volkswagen bmw audi mercedes tesla hyundai kia nissan mazda volvo subaru skoda seat fiat renault peugeot
  citroen opel porsche ferrari yamaha suzuki kawasaki ducati vespa canon nikon fujifilm leica sony samsung google microsoft apple macbook
  iphone ipad kindle galaxy pixel playstation xbox nintendo lego`
  .trim()
  .split(/\s+/)

/** Small words within a name: "Pieter de Vries". */
export const NAME_PARTICLES =
  'de da do dos del della di du van von der den la le el al bin ibn ten ter y af av st'.split(' ')

/** Small words within the name of an organization or a place: "University of Bologna". */
export const INNER_NAME_WORDS = 'of for and & the on des du de la los las y'.split(' ')

/** Titles before a person's name; a full stop may follow. */
export const TITLES = 'dr mr mrs ms prof sr sra mme'.split(' ')

/** Months and days that are first names too, where a family name follows. */
export const MONTHS_AS_NAMES = 'jan jun april june august may mai'.split(' ')

/** Begin a sentence before a name, and are no part of it: "Ask Imani", "Per Slack". */
export const NAME_LEADS: Readonly<Record<string, readonly string[]>> = {
  en: `ask tell call email ping meet text remind invite thank visit per via re cc introduce introduced contact loop message see join follow
    with`.split(/\s+/),
  es: 'cambié dejé reemplacé sustituí'.split(' '),
}

/** Nouns right behind a name tell what it names: "the Growth team", "the Orbit library". */
export const KINDS_BEHIND_NAMES = {
  organization: 'team department division choir foundation'.split(' '),
  thing: 'service app library framework project package plugin compiler game model'.split(' '),
} as const

/** "Current city: Cork": labels of notes before the name of a place. */
export const PLACE_LABELS = 'city town location address home hometown residence wohnort ciudad ville'.split(' ')

/** Words of streets at the end and at the beginning of their names. */
export const STREETS = {
  tails: 'street st road rd avenue lane drive'.split(' '),
  heads: 'rue calle via avenida avenue'.split(' '),
} as const
