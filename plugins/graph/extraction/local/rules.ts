import type { EntityType, RelationType } from '../../contract.ts'
import type { Language } from './language.ts'

/** How a kind of fact is said. */
export interface Rule {
  readonly type: RelationType
  /** A pattern (see `frame.ts`) from the verb on, with its object `<O>`; a source without it ends in `<F><O>`. */
  readonly says: string
  /** What the object must be, or may become where nothing is known of it. */
  readonly target: readonly EntityType[]
  /** What the subject must be; PERSON unless told. */
  readonly source?: readonly EntityType[]
  /** True where the words end the fact. */
  readonly closes?: boolean
  /** Words of the match that put it in the past, unless it is a perfect ("has worked"). */
  readonly past?: RegExp
  /** The object states the fact of the subject: "was founded by". */
  readonly inverse?: boolean
  /** The verb's form is the first person's. */
  readonly user?: boolean
  /** Takes only objects that are of the type by themselves. */
  readonly known?: boolean
  /** The subject is caught as `<S>` in the pattern. */
  readonly bound?: boolean
}

const PERSON: readonly EntityType[] = ['PERSON']
const ORG: readonly EntityType[] = ['ORGANIZATION']
const PLACE: readonly EntityType[] = ['PLACE']
const THING: readonly EntityType[] = ['THING']
const ANY: readonly EntityType[] = ['THING', 'ORGANIZATION', 'PLACE', 'PERSON']
const ORG_OR_THING: readonly EntityType[] = ['ORGANIZATION', 'THING']
const WORKERS: readonly EntityType[] = ['PERSON', 'ORGANIZATION', 'THING']

const ROLE =
  '(?:ceo|cto|cfo|coo|cmo|director|president|chairman|chairwoman|chair|head|chief|vp|manager|employee|partner|dean|principal|editor|secretary|treasurer|lead|boss|captain|coach)'
const BE = "(?:is|'s|am|'m|are|'re|was|were|been|became|be|isn't|aren't|wasn't|weren't)"
const MADE =
  '(?:founded|co-founded|cofounded|created|built|developed|designed|invented|wrote|authored|composed|launched|established|directed|published|painted)'
const YEARS =
  /^(?!.*\b(?:since|has|have|'ve)\b).*\b(?:worked|was|were|lived|taught|interned|freelanced|consulted|resided|managed|led|headed|supervised|ran|reported)\b/

const ENGLISH: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: '(?:works?|working|worked|freelanc(?:e|es|ed|ing)|consult(?:s|ed|ing)?|interns|interned|interning|teach(?:es|ing)?|taught|employed) <5> (?:at|for|by)',
    target: ORG,
    past: YEARS,
  },
  { type: 'WORKS_AT', says: `${BE} <6> at`, target: ORG, past: YEARS },
  { type: 'WORKS_AT', says: `${BE} <2> with`, target: ORG, past: YEARS },
  { type: 'WORKS_AT', says: `${BE} <5> ${ROLE} <3> (?:of|for|at)`, target: ORG, past: YEARS },
  {
    type: 'WORKS_AT',
    says: '(?:join|joined|joins|joining|rejoined|hired by|recruited by|signed with|started(?: working)? at|got <3> (?:job|position|role|offer) <2> (?:at|with)|landed <4> at|took <4> at|accepted <4> at)',
    target: ORG,
  },
  {
    type: 'WORKS_AT',
    says: '(?:left|leaves|leaving|quit|quits|resigned from|resigns from|retired from|(?:quit|left|lost|leaving) <3> (?:job|position|role|post) (?:at|with)|laid off (?:from|by)|fired (?:from|by)|let go (?:from|by)|stepped down from|departed|parted ways with|finished at|stopped working (?:at|for))',
    target: ORG,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:hired|hires|recruited|employs)', target: PERSON, source: ORG, inverse: true },
  { type: 'WORKS_AT', says: `<S> , (?:a|an|the|our|former) <5> (?:at|for) <O>`, target: ORG, bound: true },
  { type: 'WORKS_AT', says: `<S> , (?:the |our )?<2> ${ROLE} <3> of <F><O>`, target: ORG, bound: true },
  { type: 'WORKS_AT', says: `<S> (?:from|at|of) <O>`, target: ORG, bound: true, known: true },
  { type: 'WORKS_AT', says: `as <3> (?:of|at|for) <F><O> , <S>`, target: ORG, bound: true },
  {
    type: 'WORKS_AT',
    says: `<S> runs? the <M> (?:office|branch|team|department|division) (?:of|at) <O>`,
    target: ORG,
    bound: true,
  },
  { type: 'WORKS_AT', says: `after <5> (?:at|with) <O> , <S>`, target: ORG, closes: true, bound: true },
  { type: 'WORKS_AT', says: `comes? from <O>`, target: ORG, closes: true, known: true },
  { type: 'WORKS_AT', says: `moved to <O>`, target: ORG, known: true },
  { type: 'WORKS_AT', says: `(?:manages?|leads?|heads?|runs?) <F><M> <2> at <O>`, target: ORG },
  {
    type: 'LIVES_IN',
    says: '(?:lives?|living|lived|resides?|resided|residing|settled) <5> (?:in|near)',
    target: PLACE,
    past: YEARS,
  },
  { type: 'LIVES_IN', says: `${BE} <1> based (?:in|out of|near)`, target: PLACE, past: YEARS },
  {
    type: 'LIVES_IN',
    says: '(?:moved|relocated|emigrated|immigrated|moving back|moves|returned home|came back) <3> to',
    target: PLACE,
  },
  {
    type: 'LIVES_IN',
    says: '(?:moved|relocated|emigrated) (?:here |away |over )?from <O>',
    target: PLACE,
    closes: true,
  },
  { type: 'LIVES_IN', says: '(?:moved|relocated|emigrated) (?:away )?from <M> <3> to <O>', target: PLACE },
  {
    type: 'LIVES_IN',
    says: '(?:grew up|raised|brought up|spent <3> childhood) (?:in|near)',
    target: PLACE,
    closes: true,
  },
  { type: 'LIVES_IN', says: '(?:moved out of|moved away from|left)', target: PLACE, closes: true, known: true },
  {
    type: 'LIVES_IN',
    says: '(?:my|our) <2> (?:home|hometown|home town|address|city|residence) <2> (?:is|:)<3>',
    target: PLACE,
    user: true,
  },
  { type: 'LIVES_IN', says: '(?:her|his) <2> (?:home|hometown|city|residence) <1> is', target: PLACE },
  {
    type: 'LIVES_IN',
    says: 'new address : .{0,40}? , <O>',
    target: PLACE,
    user: true,
  },
  { type: 'BORN_IN', says: 'born <5> in', target: PLACE },
  {
    type: 'BORN_IN',
    says: `(?:${BE} <1> from|comes? from|came from|hails? from|originally from|native of)`,
    target: PLACE,
  },
  {
    type: 'VISITED',
    says: "(?:visited|went <2> to|been to|travell?ed <1> to|flew <1> to|flown to|drove to|trip to|returned from|(?:got|just|came|am|'m|is|are|was) <2> back from|vacationed in|holidayed in|honeymooned in|toured|spent <6> in|stayed in|backpacked (?:through|across|around|in)|explored|weekend in|holiday in|vacation in|rented <4> in)",
    target: PLACE,
  },
  {
    type: 'VISITED',
    says: '(?:my|our) <2> (?:honeymoon|trip|holiday|vacation|wedding) was (?:in|to)',
    target: PLACE,
    user: true,
  },
  {
    type: 'STUDIED_AT',
    says: "(?:stud(?:y|ies|ied|ying) <5> at|graduated <4> from|(?:degree|phd|doctorate|masters?|master's|bachelors?|mba|diploma|b\\.sc|m\\.sc) <4> (?:from|at)|enrolled <3> (?:at|in)|attends?|attended|attending|alumn(?:us|a|i) of|majored <4> at|student <3> (?:at|of)|doctorate <4> (?:from|at))",
    target: ORG,
  },
  {
    type: 'STUDIED_AT',
    says: 'after <5> (?:degree|studies|phd|graduation) <2> (?:at|from) <O> , <S>',
    target: ORG,
    bound: true,
  },
  { type: 'STUDIED_AT', says: '(?:goes|went|go) to', target: ORG, known: true },
  { type: 'CREATED', says: MADE, target: ORG_OR_THING, source: WORKERS },
  { type: 'CREATED', says: `${MADE} by`, target: ['PERSON', 'ORGANIZATION'], source: ORG_OR_THING, inverse: true },
  {
    type: 'CREATED',
    says: `${BE} <3> (?:founder|co-founder|cofounder|creator|author|inventor|designer) of`,
    target: ORG_OR_THING,
  },
  { type: 'CREATED', says: `<O> by <S>`, target: THING, source: PERSON, bound: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:use|uses|using|prefer using|rely on|relies on|adopted|switched to|migrated to)',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:runs? <3>(?: on| with)|deploys? (?:to|on|with)|deployed (?:to|on)|codes? in|coding in|coded in|programs? in|programming in|develops? in|developing in|works? (?:with|in)|working (?:with|in|on)|write|writes|writing <7> in|writes? <7> in|built? <5> (?:with|on|in|using)|build(?:s|ing)? <5> (?:with|on|in|using)|written (?:in|with)|powered by|powers?|running on|hosted on|styled with)',
    target: THING,
    source: WORKERS,
    known: true,
  },
  { type: 'USES_TECHNOLOGY', says: 'deploys? <2> (?:to|on) <M> (?:with|using|via)', target: THING, known: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:my|our) <2> (?:editor|ide|stack|tech stack|database|languages?|os|operating system|shell|framework|browser|terminal|backend|frontend|tools?|setup|cloud) <2>(?: is| are| includes?)?(?: :)?',
    target: THING,
    user: true,
  },
  { type: 'USES_TECHNOLOGY', says: '<O> (?:is|are) what (?:i|we) <2> use', target: THING, user: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:stopped using|gave up(?: on)?|ditched|dropped|abandoned|replaced|quit using|moved away from|moved off|switched (?:away )?from|migrated (?:away )?from)',
    target: THING,
    closes: true,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:switched|migrated|moved|ported|upgraded) <4> from <M> to <O>',
    target: THING,
    source: WORKERS,
  },
  { type: 'USES_TECHNOLOGY', says: 'replaced <F><M> (?:with|by) <O>', target: THING, source: WORKERS },
  { type: 'OWNS', says: '(?:own|owns|bought|purchased|acquired|drives?|just got)', target: THING },
  {
    type: 'OWNS',
    says: '(?:have|has|own|owns|adopted|got|bought|keeps?) (?:a|an|one|two|three|the) <4> (?:named|called) <O>',
    target: THING,
  },
  {
    type: 'OWNS',
    says: "(?:my|our) <2> (?:dog|cat|puppy|kitten|parrot|horse|hamster|rabbit|pet|bird|pony|goldfish|tortoise|boat)(?: is)?(?: named| called|'s name is| 's name is| ,)? <O>",
    target: THING,
    user: true,
  },
  {
    type: 'OWNS',
    says: '(?:my|our) <2> (?:phone|car|laptop|bike|bicycle|motorbike|camera|guitar|computer|tablet|watch|van|truck) is (?:a |an |the )?<O>',
    target: THING,
    user: true,
  },
  { type: 'OWNS', says: '(?:sold|sells|selling|gave away|traded in)', target: THING, closes: true },
  {
    type: 'MEMBER_OF',
    says: '(?:members? of|sits? on the board of|on the board of|plays? for|plays? <4> (?:in|for|with|called|named)|sings? <3> (?:in|with)|belongs? to)',
    target: ORG,
  },
  {
    type: 'PART_OF',
    says: '(?:part of|belongs? to|subsidiary of|division of|owned by|acquired by|bought by|merged into)',
    target: ORG,
    source: ORG_OR_THING,
  },
  {
    type: 'LOCATED_IN',
    says: '(?:located|based|headquartered|situated|lies|is|are) (?:in|near)',
    target: PLACE,
    source: ['ORGANIZATION', 'PLACE', 'THING'],
  },
  {
    type: 'LOCATED_IN',
    says: '(?:district|neighbou?rhood|suburb|quarter|borough|city|town|village|region|province|island|capital|part|area) (?:of|in)',
    target: PLACE,
    source: PLACE,
  },
  {
    type: 'LOCATED_IN',
    says: '(?:headquarters|head office|offices?|campus) of <S> (?:is|are) in <O>',
    target: PLACE,
    source: ORG,
    bound: true,
  },
  {
    type: 'MANAGES',
    says: '(?:manages?|managing|managed|leads?|leading|led|heads|headed|heading|supervises?|supervised|oversees?|runs|run|running|mentors?)',
    target: ['PERSON', 'ORGANIZATION'],
    past: YEARS,
  },
  { type: 'MANAGES', says: '(?:manage|lead|run|supervise|oversee) <4> : <O>', target: PERSON },
  {
    type: 'REPORTS_TO',
    says: '(?:reports?|reporting|reported|answers?) (?:directly )?to',
    target: PERSON,
    past: YEARS,
  },
  { type: 'REPORTS_TO', says: 'works? (?:under|for)', target: PERSON, known: true },
  {
    type: 'COLLABORATES_WITH',
    says: '(?:works?|working|worked|collaborat(?:es?|ed|ing)|partner(?:s|ed|ing)?|pair(?:s|ed|ing)?) <5> with',
    target: PERSON,
  },
  {
    type: 'KNOWS',
    says: '(?:met(?: with| up with)?|knows?|knew|known|spoke (?:to|with)|talked (?:to|with)|befriended|friends with|gets? along <3> with|getting along <3> with|introduced to|had (?:lunch|dinner|coffee|a call) with)',
    target: PERSON,
  },
  {
    type: 'LIKES',
    says: '(?:likes?|loves?|loved|enjoys?|adores?|prefers?|into|fond of|fan of|keen on|crazy about)',
    target: ANY,
  },
  {
    type: 'DISLIKES',
    says: "(?:hates?|dislikes?|detests?|loathes?|can't stand|cannot stand|can not stand)",
    target: ANY,
  },
  {
    type: 'INTERESTED_IN',
    says: '(?:interested in|fascinated by|passionate about|curious about|obsessed with|learning|enthusiastic about)',
    target: ANY,
  },
  { type: 'LIKES', says: '(?:my|our) (?:favou?rite|preferred) <3> (?:is|are|:)', target: ANY, user: true },
  { type: 'LIKES', says: 'favou?rite <2> :', target: ANY, user: true },
]

const GERMAN: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: 'arbeite(?:t|n|te|ten)? <5> (?:bei|für) <F><O>(?: gearbeitet)?',
    target: ORG,
    past: /arbeitete/,
  },
  {
    type: 'WORKS_AT',
    says: '(?:habe?|hat|haben) <3> (?:bei|für) <F><O> (?:gearbeitet|gekündigt|aufgehört)',
    target: ORG,
    closes: true,
  },
  { type: 'WORKS_AT', says: '(?:ist|bin|sind) <4> bei', target: ORG },
  { type: 'WORKS_AT', says: '(?:hat|habe|haben) <O> <2> verlassen', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:verließ|verlässt|verlasse)', target: ORG, closes: true },
  { type: 'LIVES_IN', says: '(?:wohn|leb)(?:e|t|en|te|ten) <4> in', target: PLACE, past: /(?:wohn|leb)ten?\b/ },
  {
    type: 'LIVES_IN',
    says: '(?:ist|bin|sind|zieht|ziehe|zog) <2>(?: von <M>)? nach <O> <2>(?: ?gezogen|umgezogen|um)?',
    target: PLACE,
  },
  {
    type: 'LIVES_IN',
    says: '(?:ist|bin|sind|zieht|zog) <2> (?:von|aus) <O> (?:nach <M> )?(?:gezogen|umgezogen|weggezogen|um)',
    target: PLACE,
    closes: true,
  },
  { type: 'LIVES_IN', says: '(?:ist|bin|sind) <2> in <O> aufgewachsen', target: PLACE, closes: true },
  { type: 'BORN_IN', says: '(?:wurde|ist|bin|sind|wurden) <4> in <O> <2> geboren', target: PLACE },
  { type: 'BORN_IN', says: '(?:komme|kommt|stammt|stamme) <2> aus', target: PLACE },
  { type: 'VISITED', says: '(?:war|waren) <4> in', target: PLACE },
  { type: 'VISITED', says: '(?:besuchte|besuchten|reiste|reisten nach)', target: PLACE },
  { type: 'VISITED', says: '(?:habe|hat|haben) <3> <O> besucht', target: PLACE },
  { type: 'VISITED', says: '(?:bin|ist|sind) <3> nach <O> (?:gereist|geflogen|gefahren)', target: PLACE },
  { type: 'STUDIED_AT', says: '(?:hat|habe|haben) <4> an (?:der|dem) <O> <3> studiert', target: ORG },
  { type: 'STUDIED_AT', says: 'studier(?:e|t|en|te|ten) <4> an (?:der|dem)', target: ORG },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:benutz|nutz|verwend)(?:e|et|t|en)(?: ich| wir)?',
    target: THING,
    source: WORKERS,
  },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:programmier|entwickl|arbeit)(?:e|et|t|n|en) <2> (?:in|mit)',
    target: THING,
    known: true,
  },
  { type: 'MANAGES', says: '(?:leit|führ)(?:e|et|t|en)', target: ['ORGANIZATION', 'PERSON'] },
  { type: 'CREATED', says: '(?:gründete|erfand|schrieb|entwickelte)', target: ORG_OR_THING },
  {
    type: 'CREATED',
    says: '(?:hat|habe|haben) <2> <F><O> <2> (?:gegründet|erfunden|geschrieben|entwickelt)',
    target: ORG_OR_THING,
  },
  { type: 'OWNS', says: '(?:besitz|fahr|fähr)(?:e|t|en)', target: THING },
  { type: 'KNOWS', says: '(?:kenn)(?:e|t|en)', target: PERSON },
  { type: 'LIKES', says: '(?:mag|mögen|liebe|liebt|lieben|bevorzuge|bevorzugt)', target: ANY },
  { type: 'DISLIKES', says: '(?:hasse|hasst|hassen)', target: ANY },
  {
    type: 'LOCATED_IN',
    says: '(?:liegt|sitzt|befindet sich) in',
    target: PLACE,
    source: ['ORGANIZATION', 'PLACE', 'THING'],
  },
]

const SPANISH: readonly Rule[] = [
  { type: 'WORKS_AT', says: '(?:trabajo|estoy trabajando) <4> (?:en|para|con)', target: ORG, user: true },
  { type: 'WORKS_AT', says: '(?:trabajé|trabajaba) <4> (?:en|para|con)', target: ORG, user: true, closes: true },
  { type: 'WORKS_AT', says: '(?:trabaja|trabajan) <4> (?:en|para|con)', target: ORG },
  { type: 'WORKS_AT', says: '(?:trabajó|trabajaban) <4> (?:en|para|con)', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:dejó|abandonó|renunció a)', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:dejé|renuncié a)', target: ORG, closes: true, user: true },
  { type: 'LIVES_IN', says: 'vivo <4> en', target: PLACE, user: true },
  { type: 'LIVES_IN', says: '(?:vive|viven) <4> en', target: PLACE },
  { type: 'LIVES_IN', says: '(?:viví|vivía) <4> en', target: PLACE, user: true, closes: true },
  { type: 'LIVES_IN', says: 'vivió <4> en', target: PLACE, closes: true },
  { type: 'LIVES_IN', says: 'mudó <2>(?: de(?:sde)? <M>)? a <O>', target: PLACE },
  { type: 'LIVES_IN', says: 'mudé <2>(?: de(?:sde)? <M>)? a <O>', target: PLACE, user: true },
  { type: 'LIVES_IN', says: 'mudó <1> de(?:sde)? <O>', target: PLACE, closes: true },
  { type: 'LIVES_IN', says: 'mudé <1> de(?:sde)? <O>', target: PLACE, closes: true, user: true },
  { type: 'BORN_IN', says: 'nació <4> en', target: PLACE },
  { type: 'BORN_IN', says: '(?:nací <4> en|soy de)', target: PLACE, user: true },
  { type: 'BORN_IN', says: 'es de', target: PLACE, known: true },
  {
    type: 'VISITED',
    says: '(?:visité|visitamos|viajé a|viajamos a|fui a|fuimos a|estuve en|estuvimos en)',
    target: PLACE,
    user: true,
  },
  { type: 'VISITED', says: '(?:visitó|viajó a|estuvo en)', target: PLACE },
  { type: 'STUDIED_AT', says: '(?:estudió|estudia|se graduó) <4> (?:en|de)', target: ORG },
  { type: 'STUDIED_AT', says: '(?:estudié|estudio|me gradué) <4> (?:en|de)', target: ORG, user: true },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:uso|usamos|utilizo|utilizamos|programo en|programamos en)',
    target: THING,
    user: true,
  },
  { type: 'USES_TECHNOLOGY', says: '(?:usa|usan|utiliza|utilizan|programa en)', target: THING, source: WORKERS },
  { type: 'MARRIED_TO', says: '(?:está|es) casad[oa] con', target: PERSON },
  { type: 'MARRIED_TO', says: 'estoy casad[oa] con', target: PERSON, user: true },
  { type: 'MANAGES', says: '(?:dirige|lidera)', target: ['ORGANIZATION', 'PERSON'] },
  { type: 'MANAGES', says: '(?:dirijo|lidero)', target: ['ORGANIZATION', 'PERSON'], user: true },
  { type: 'CREATED', says: '(?:fundó|creó|escribió|desarrolló)', target: ORG_OR_THING },
  { type: 'CREATED', says: '(?:fundé|creé|escribí)', target: ORG_OR_THING, user: true },
  { type: 'KNOWS', says: '(?:conozco|conocí) a', target: PERSON, user: true },
  { type: 'KNOWS', says: '(?:conoce|conoció) a', target: PERSON },
  { type: 'LIKES', says: '(?:me <1> gustan?|me encantan?|prefiero|amo|adoro)', target: ANY, user: true },
  { type: 'DISLIKES', says: '(?:odio|detesto)', target: ANY, user: true },
  { type: 'LOCATED_IN', says: 'está en', target: PLACE, source: ['ORGANIZATION', 'PLACE'] },
]

const FRENCH: readonly Rule[] = [
  {
    type: 'WORKS_AT',
    says: 'travaill(?:e|es|ent|ons|ais|ait) <4> (?:chez|pour|à)',
    target: ORG,
    past: /travaillai[st]/,
  },
  { type: 'WORKS_AT', says: '(?:ai|a|ont|avons) <2> travaillé <3> (?:chez|pour|à)', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:ai|a|ont|avons) <1> quitté', target: ORG, closes: true },
  { type: 'WORKS_AT', says: '(?:ai|a|ont) rejoint', target: ORG },
  {
    type: 'LIVES_IN',
    says: '(?:habit(?:e|es|ons|ent|ais|ait)|vis|vit|vivons|vivent) <4> (?:à|en|au|aux|dans)',
    target: PLACE,
    past: /habitai[st]/,
  },
  { type: 'LIVES_IN', says: '(?:déménagé|emménagé) <1>(?: de <M>)? (?:à|en|au|vers) <O>', target: PLACE },
  { type: 'LIVES_IN', says: 'déménagé de <O>', target: PLACE, closes: true },
  { type: 'BORN_IN', says: 'née?s? <3> (?:à|en|au|aux)', target: PLACE },
  { type: 'BORN_IN', says: "(?:viens|vient) (?:de|du|d')", target: PLACE },
  {
    type: 'VISITED',
    says: '(?:(?:ai|a|avons|ont) <1> visité|(?:suis|est|sommes|sont) <1> allée?s? <1> (?:à|en|au|aux))',
    target: PLACE,
  },
  { type: 'STUDIED_AT', says: '(?:étudié|étudie|diplômée?) <4> (?:à|de)', target: ORG },
  {
    type: 'USES_TECHNOLOGY',
    says: '(?:utilise|utilisons|utilisent|programme en|code en)',
    target: THING,
    source: WORKERS,
  },
  { type: 'MARRIED_TO', says: 'mariée? (?:avec|à)', target: PERSON },
  { type: 'MANAGES', says: '(?:dirige|gère|encadre)', target: ['ORGANIZATION', 'PERSON'] },
  { type: 'CREATED', says: '(?:a|ai|ont) (?:fondé|créé|écrit|développé)', target: ORG_OR_THING },
  { type: 'KNOWS', says: '(?:connais|connaît|rencontré)', target: PERSON },
  { type: 'LIKES', says: '(?:aime|aimons|aiment|adore|adorons|préfère)', target: ANY },
  { type: 'DISLIKES', says: '(?:déteste|détestons|hais)', target: ANY },
  {
    type: 'LOCATED_IN',
    says: '(?:se trouve|est situé|est située) (?:à|en|au)',
    target: PLACE,
    source: ['ORGANIZATION', 'PLACE'],
  },
]

export const RULES: Readonly<Record<Language, readonly Rule[]>> = { en: ENGLISH, de: GERMAN, es: SPANISH, fr: FRENCH }
