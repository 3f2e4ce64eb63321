/** Words of a main clause that vouch for what stands below it: who knows, notices or is glad of something takes it to be so. */
export const VOUCHING: Readonly<Record<string, readonly string[]>> = {
  en: [
    'know/knows/knew/known/aware/learn/learned/learnt/discover/discovered/realise/realised/realize/realized/notice/noticed',
    'remember/remembers/remembered/recall/forget/forgot/forgotten/remind/reminded/note/mention/mentioned/warn/warned',
    'confirm/confirmed/prove/proves/proved/proof/show/shows/showed/reveal/revealed/announce/announced/admit/admitted',
    'glad/happy/proud/sad/sorry/lucky/grateful/thankful/relieved/afraid/thrilled/delighted/excited/pleased/surprised/amazed',
    'love/hate/regret/celebrate/true/fact/news/means/meant/happens/happened/reason/because/official',
    'found/see/saw/seen/turns/turned/so/such/now',
  ],
  de: [
    'weiß/wissen/weißt/wusste/froh/stolz/glücklich/merke/gemerkt/bemerkt/erfahren/stimmt/wahr/freue/freut/leider/schön/vergiss/so',
  ],
  es: [
    'sé/sabe/sabes/sabía/alegra/alegro/contento/contenta/feliz/orgulloso/orgullosa/verdad/cierto/suerte/recuerda/tan',
  ],
  fr: ['sais/sait/savez/savais/heureux/heureuse/content/contente/fier/fière/vrai/chance/souviens/rappelle/si'],
  it: ['so/sai/sapevo/felice/contento/contenta/orgoglioso/orgogliosa/vero/fortuna/ricorda/già/dire/detto'],
  pt: ['sei/sabe/sabia/feliz/contente/orgulhoso/orgulhosa/verdade/sorte/lembra'],
}

/** Verbs below which a clause without "that" stands, and which vouch for nothing. */
export const SUPPOSING: Readonly<Record<string, readonly string[]>> = {
  en: [
    'think/thinks/thought/believe/believes/believed/assume/assumes/assumed/suppose/supposes/supposed/guess/guesses/guessed',
    'figure/figures/figured/reckon/reckons/reckoned/suspect/suspects/suspected/expect/expects/expected/hope/hopes/hoped',
    'wish/wishes/wished/dream/dreams/dreamt/dreamed/imagine/imagines/imagined/pretend/pretends/pretended/fear/fears/feared',
    'say/says/said/saying/claim/claims/claimed/allege/alleges/alleged/maintain/maintains/maintained/sure/certain/tell/tells/told/telling/swear/swears/swore/insist/insists/insisted',
    'hear/heard/convinced/persuaded/doubt/doubts/doubted/bet/bets/fantasise/fantasize/hallucinated/lied/lie',
  ],
  de: [
    'denkt/denken/dachte/glaubt/glauben/meint/meinen/behauptet/behaupten/hofft/träumte/vermutet/angeblich/sagt/sagen',
  ],
  es: ['cree/creen/piensa/piensan/dice/dicen/supone/imagina/soñé/sueña/empeñada/empeñado/convencida/convencido'],
  fr: [
    'croit/croient/pense/pensent/prétend/prétendent/dit/disent/imagine/rêve/rêvé/suppose/convaincu/convaincue/court',
  ],
  it: ['crede/credono/pensa/pensano/dice/dicono/immagina/sogna/sognato/convinto/convinta/giura'],
  pt: ['acha/acham/pensa/pensam/diz/dizem/imagina/sonhei/sonha/convencido/convencida/jura'],
}

/** Words by which a whole clause is hearsay. */
export const HEARSAY: Readonly<Record<string, readonly string[]>> = {
  en: [
    'allegedly/supposedly/reportedly/purportedly/apparently/rumour/rumor/rumours/rumors/hypothetically/theoretically/according to',
  ],
  de: ['angeblich/laut/gerücht/gerüchte'],
  es: ['supuestamente/presuntamente/según/rumor/rumores'],
  fr: ['soi-disant/prétendument/selon/rumeur/bruit'],
  it: ['presumibilmente/secondo/voce/voci'],
  pt: ['supostamente/alegadamente/segundo/boato/boatos'],
}

/** Words by which what follows is only close to something, a mistake or a picture. */
export const HEDGES: Readonly<Record<string, readonly string[]>> = {
  en: [
    'practically/virtually/almost/nearly/all but/mistook/mistaken/mistake/mistakes/close to/as if/as though/this close',
  ],
  de: ['beinahe/beinah/fast/als ob'],
  es: ['casi/como si'],
  fr: ['presque/comme si'],
  it: ['quasi/come se'],
  pt: ['quase/como se'],
}

/** Words that open a condition. */
export const CONDITIONS: Readonly<Record<string, readonly string[]>> = {
  en: ['if/unless/whether/supposing/assuming'],
  de: ['wenn/falls/ob/angenommen'],
  es: ['si/ojalá'],
  fr: ['si'],
  it: ['se/magari'],
  pt: ['se/tomara/oxalá'],
}

/** Works and visions tell of people and places that there are not. */
export const FICTIONS: Readonly<Record<string, readonly string[]>> = {
  en: [
    'novel/story/film/movie/game/play/dream/series/script/comic/manga/book/campaign/fanfic/fan fiction/screenplay/sims/unit test',
    'heroine/hero/protagonist/character/villain/avatar/narrator/alter ego/manuscript/imagination/hallucination/roleplay/role play/parallel universe/another life/test case',
  ],
  de: ['roman/film/spiel/traum/geschichte/drehbuch/figur/heldin/held/serie'],
  es: ['novela/película/juego/sueño/cuento/guion/personaje/protagonista/serie'],
  fr: ['roman/film/jeu/rêve/histoire/scénario/personnage/héroïne/héros/série'],
  it: ['romanzo/film/gioco/sogno/racconto/sceneggiatura/personaggio/protagonista/serie'],
  pt: ['romance/filme/jogo/sonho/conto/roteiro/personagem/protagonista/série'],
}

/** Prepositions and words of possession that lead into what {@link FICTIONS} names: "in the novel", "my heroine". */
export const INTO_FICTION: Readonly<Record<string, readonly string[]>> = {
  en: ['in/inside/of/for/within/my/our/a/the'],
  de: ['im/in/meinem/meiner/mein/meine'],
  es: ['en/de/mi'],
  fr: ['dans/de/du/mon/ma'],
  it: ['nel/nella/del/mio/mia'],
  pt: ['no/na/do/da/meu/minha'],
}

/** Words that open a clause below another. */
export const THAT: Readonly<Record<string, readonly string[]>> = {
  en: ['that'],
  de: ['dass', 'daß'],
  es: ['que'],
  fr: ['que', "qu'"],
  it: ['che'],
  pt: ['que'],
}

/** English words with which a clause begins: its subject, or the owner of its subject. */
export const CLAUSE_SUBJECTS = ['i', 'we', 'he', 'she', 'they']
export const CLAUSE_OWNERS = ['my', 'our', 'his', 'her', 'their', 'the', 'it', 'you']

/** English verbs that show that the words before them are a subject. */
export const FINITE_VERBS = [
  ...[
    'is',
    'was',
    'are',
    'were',
    'has',
    'had',
    'have',
    'does',
    'did',
    'live',
    'lives',
    'lived',
    'work',
    'works',
    'worked',
  ],
  ...['moved', 'own', 'owns', 'owned', 'married', 'studies', 'studied'],
]

/** English verbs that stand before their subject in a condition: "were I". */
export const INVERTED_VERBS = ['were', 'had', 'should']

/** English verbs by which a reader is asked to take what follows for true. */
export const ASKED_TO_SUPPOSE = ['imagine', 'pretend', 'suppose']

/** Words by which what vouches for a clause vouches for nothing. */
export const DENYING_WORDS = ['not', "n't", 'never', "isn't", 'false', 'wrong']

/** English verbs with which somebody states what they think: "I think". */
export const OWN_VIEWS = [
  'think',
  'believe',
  'guess',
  'suppose',
  'reckon',
  'say',
  'bet',
  'swear',
  'told',
  'said',
  'mention',
]

/** Words that join another main clause behind a comma. */
export const JOINING_WORDS = ['and', 'but', 'yet', 'so', 'y', 'e', 'et', 'und', 'aber', 'pero', 'mais', 'mas', 'ma']

/** People of stories, whose names follow: "my heroine Clara". */
export const PEOPLE_OF_FICTION = ['hero', 'heroine', 'protagonist', 'character', 'villain', 'avatar', 'narrator']
