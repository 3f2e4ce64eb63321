/**
 * Texts about many things, the same for the same number: made from templates and lists of words, so that their vectors lie in
 * clusters as those of real notes do, and their words are spread from common to rare.
 */
export function variedText(n: number): string {
  const pick = picker(n)
  const topic = pick(TOPICS)
  const [subjects, actions, details] = topic
  const slots: Record<string, () => string> = {
    person: () => pick(PEOPLE),
    place: () => pick(PLACES),
    time: () => pick(TIMES),
    feeling: () => pick(FEELINGS),
    subject: () => pick(subjects),
    action: () => pick(actions),
    detail: () => pick(details),
    number: () => String(2 + pick(NUMBERS)),
  }
  return pick(TEMPLATES).replace(/\{(\w+)\}/g, (_, slot: string) => slots[slot]?.() ?? '')
}

/** A question that some of the texts answer, the same for the same number. */
export function variedQuestion(n: number): string {
  const pick = picker(n * 7919 + 13)
  const [subjects, actions, details] = pick(TOPICS)
  const question = pick(QUESTIONS)
  return question
    .replace('{person}', pick(PEOPLE))
    .replace('{place}', pick(PLACES))
    .replace('{subject}', pick(subjects))
    .replace('{action}', pick(actions))
    .replace('{detail}', pick(details))
    .replace('{number}', String(n))
}

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The earlier items of a list come more often than the later ones. */
function picker(n: number) {
  const random = randomFrom(Math.imul(n + 1, 0x9e3779b1))
  return <T>(items: readonly T[]): T => {
    const item = items[Math.floor(random() ** 1.3 * items.length)]
    if (item === undefined) throw new Error('a list of words is empty')
    return item
  }
}

const list = (text: string) => text.split('|')

const NUMBERS = Array.from({ length: 90 }, (_, n) => n)
const PEOPLE = list(
  'Ada|Bob|Carla|Deniz|Elif|Farid|Greta|Hugo|Ines|Jonas|Kavita|Liam|Mireille|Nadia|Omar|Priya|Quentin|Rosa|Sven|Tomoko|' +
    'Ulrich|Vera|Wanda|Ximena|Yusuf|Zora|my sister|my brother|the neighbour|our landlord|the new colleague|the doctor',
)
const PLACES = list(
  'Lisbon|Berlin|Kyoto|Montreal|Nairobi|Oslo|Porto|Quito|Riga|Seville|Tbilisi|Utrecht|Valencia|Warsaw|Zagreb|the office|' +
    'the kitchen|the park by the river|the old town|the airport|the library|the garage|the mountains|the coast|the station',
)
const TIMES = list(
  'yesterday|last week|this morning|on Monday|on Friday evening|in March|over the summer|two days ago|at noon|before lunch|' +
    'during the holidays|in the winter|after work|late at night|at the weekend|in 2021|next month|for the first time',
)
const FEELINGS = list(
  'was very happy with it|found it too expensive|would do it again|was a little disappointed|could not stop talking about it|' +
    'wants to change that soon|did not expect that|is still not sure|was relieved|laughed about it|felt tired afterwards|asked for help',
)
const TEMPLATES = [
  '{person} {action} {subject} {time} in {place} and {feeling}.',
  '{time}, {person} mentioned {subject}: {detail}.',
  'Remember that {person} prefers {detail} when it comes to {subject}.',
  '{person} and {person} {action} {subject} in {place}; {detail}.',
  'Note about {subject}: {detail}, about {number} times as often as before.',
  'For {subject} {person} needs {detail} by {time}.',
  '{person} said: "I {action} {subject} {time}, {detail}."',
  'Why {subject} matters to {person}: {detail}. {person} {feeling}.',
  'In {place} {person} {action} {subject} for {number} euros.',
  '{subject}, {detail}, {place}, {time}.',
]
const QUESTIONS = [
  'what did {person} say about {subject}?',
  'who {action} {subject} in {place}',
  'why does {person} want {detail}',
  '{subject} {detail}',
  'when was {subject} in {place} and what did it cost, case {number}',
  'tell me what you know about {detail} and {subject}',
]

/** Subjects, actions and details that go together. */
const TOPICS: readonly (readonly [readonly string[], readonly string[], readonly string[]])[] = [
  'sourdough bread|the rye loaf|a birthday cake|the pizza dough|croissants;baked|tried|burnt|gave away;a pinch of salt more|a hotter oven|flour from the mill|a starter fed every day|less sugar',
  'the quarterly budget|the travel expenses|the invoice from the printer|the tax return|the savings plan;reviewed|postponed|paid|corrected;a spreadsheet with every receipt|approval from finance|a lower limit|the numbers of last year',
  'the TypeScript migration|the flaky test|the payment service|the database index|the deployment script;fixed|rewrote|broke|reviewed;a memory leak in the worker|strict null checks|a rollback within minutes|slow queries under load|green builds',
  'the road bike|a flat tyre|the brakes|the chain|a bicycle tour;repaired|bought|cleaned|finished;a carbon frame|wider tyres for gravel|a helmet that fits|eighty kilometres a day',
  'the vegetable garden|tomato seedlings|the apple tree|the compost heap|roses;planted|watered|pruned|harvested;half shade and wet soil|late frost|snails at night|organic fertiliser',
  'the violin lesson|a jazz concert|the choir|an old piano|the new album;practised|heard|recorded|tuned;a slow second movement|minor chords|seats in the first row|an encore',
  'the knee injury|a migraine|the blood test|physiotherapy|the vaccination;had|treated|cancelled|described;ibuprofen after meals|a second opinion|rest for six weeks|an allergy to penicillin',
  'the flight|a night train|the hotel room|the visa|the hiking trip;booked|missed|planned|enjoyed;a window seat|breakfast included|a passport that expires soon|heavy rain on the trail',
  'the science fiction novel|a biography|the poetry evening|the book club|an audiobook;read|recommended|returned|discussed;an unreliable narrator|short chapters|a translation from Portuguese|footnotes on every page',
  'the cat|a rescued dog|the aquarium|the parrot|the hamster cage;fed|took to the vet|adopted|photographed;grain-free food|a scratched ear|long walks at dawn|warm water',
  'the marathon|the swimming course|a yoga class|the climbing wall|the football match;trained for|won|skipped|watched;intervals twice a week|a torn muscle|better shoes|a personal best',
  'the kitchen renovation|a leaking pipe|the heating|new windows|the wooden floor;installed|measured|painted|replaced;oak instead of pine|an offer from three craftsmen|less noise from the street|a water meter',
  "the daughter's school play|the parents' evening|homework|the kindergarten place|a birthday party;attended|prepared|forgot|organised;a costume made of cardboard|vegetarian sausages|a quiet corner|a letter for the teacher",
  'the job interview|a promotion|the team offsite|the performance review|the new contract;prepared for|declined|negotiated|survived;four days a week|a salary above average|remote work from abroad|clear goals',
  'green tea|an espresso machine|the wine tasting|oat milk|a cocktail;drank|ordered|spilled|compared;a light roast|water at eighty degrees|notes of cherry|no sugar at all',
  'the driving licence|an electric car|the parking fine|winter tyres|the car insurance;renewed|sold|received|cancelled;a charger at home|an automatic gearbox|a dent in the door|a lower premium',
  'the language course|Japanese vocabulary|a Spanish exam|French grammar|the pronunciation;studied|passed|repeated|taught;flash cards every morning|the subjunctive|a tandem partner|two hundred new words',
  'the election|the town council|a petition|the new bridge|the bus line;voted on|discussed|signed|criticised;more lanes for bicycles|a public hearing|cheaper tickets|delays until autumn',
  'a telescope|the lunar eclipse|the space mission|the meteor shower|a star map;watched|explained|photographed|missed;a clear sky without moon|long exposure|rings of Saturn|light pollution',
  'the oil painting|a photo exhibition|the pottery wheel|a portrait|the sketchbook;painted|visited|framed|glazed;warm colours|black and white prints|clay from the river|soft pencils',
  'the security audit|a leaked password|the firewall|two-factor login|the phishing mail;reported|enabled|investigated|closed;keys rotated every quarter|an unknown device|least privilege|a log of every access',
  'the wedding|a baby shower|the anniversary|the funeral|the family reunion;celebrated|announced|planned|left early from;white lilies|a band that plays swing|a long table outside|cousins from overseas',
  'the chess opening|a board game night|the crossword|a video game|the card trick;played|lost|solved|learned;a sacrifice on move twelve|cooperative rules|a hidden level|a marked deck',
  'the winter coat|a silk dress|running shoes|the sewing machine|a wool sweater;bought|mended|returned|wore;size forty-two|natural dyes|a broken zip|waterproof fabric',
  "the landlord's letter|the rent increase|a new flatmate|moving boxes|the balcony;signed|rejected|welcomed|carried;three months notice|a room with morning light|no smoking indoors|a deposit of two rents",
  'the machine learning model|the training data|a neural network|the evaluation|the embeddings;trained|labelled|tuned|benchmarked;a smaller learning rate|held-out examples|too much noise|quantised weights',
  'the customer complaint|a support ticket|the refund|the delivery|the product launch;answered|escalated|shipped|delayed;a parcel left in the rain|a voucher of ten percent|response within a day|wrong colour',
  'the thunderstorm|a heat wave|the snowfall|the flood|the drought;survived|filmed|expected|reported;water in the cellar|records broken twice|no power for hours|burst dams',
  'meditation|the therapy session|sleep|a panic attack|the silent retreat;tried|talked about|improved|had;breathing for ten minutes|no phone in the bedroom|writing things down|support from friends',
  'the solar panels|the electricity bill|a heat pump|the insulation|recycling;installed|compared|calculated|sorted;a roof facing south|half the consumption|subsidies from the state|glass and paper apart',
].map(text => {
  const [subjects = '', actions = '', details = ''] = text.split(';')
  return [list(subjects), list(actions), list(details)] as const
})
