/** Words that lists of names or capital letters make names of, and that texts rarely mean as one. */

/** Written with a capital these words name nothing by themselves. */
export const NEVER_NAMES: Readonly<Record<string, readonly string[]>> = {
  en: `
    chef chefs thai vietnamese ukrainian persian hungarian romanian bulgarian croatian serbian nigerian kenyan
    ethiopian egyptian moroccan argentinian chilean colombian peruvian cuban filipino indonesian malay nepali
    pakistani bengali tamil urdu swahili yoruba igbo welsh gaelic basque catalan belgian austrian swiss winter
    migrated switched changed traded swapped relocated quit resigned dropped ditched settled ended replaced poached
    hired returned handed retired divorced broke split packed update goodbye bye farewell works worked working lives
    lived living likes loves hates dislikes enjoys prefers joined moved left started born studied studies visited
    went uses using owns married manages reports knows wants plans has have got bought sold founded created built
    wrote grew travelled learned learning speaks plays drives job i i'm i've i'd i'll a an the my our your
    his her its their we he she it they you this that these those there here and or but if so as at by in of on to up
    off out over with without from for about after before since until while when where why how what who which whose
    is are was were be been do does did had can could will would shall should may might must not no don't doesn't
    didn't isn't aren't wasn't weren't won't can't couldn't wouldn't yes please thanks thank ok okay hi hello hey hmm
    lol january february march april june july august september october november december jan feb mar apr jun jul aug
    sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays
    thursdays fridays saturdays sundays tue wed thu fri sat sun today tomorrow yesterday tonight now then later next
    last every each both all some any most many once soon recently currently previously formerly together sometimes
    always never also just only even still yet easter christmas ramadan diwali hanukkah thanksgiving halloween spring
    summer autumn english german french italian spanish portuguese russian dutch swedish norwegian danish finnish
    polish czech turkish arabic hebrew japanese chinese korean hindi mandarin greek latin american british irish
    scottish african asian european indian canadian australian mexican brazilian api url http https json xml html css
    id ui ux faq ceo cto cfo coo cmo vp hr pr phd mba bsc msc ba dna tv pc usb pdf csv utc gmt am pm est pst asap eta
    fyi todo tbd wip kpi okr roi vat gdpr sdk cli ide ai ml nlp llm mri gp gps wifi wi-fi error warn info debug
    typeerror select insert delete create null true false undefined important warning note ps re fw fwd aunt uncle
    mum mom mother dad father grandma grandpa grandmother grandfather sister brother son daughter wife husband cousin
    mr mrs ms sir madam miss user users employer name city title email phone address age role company country
    location birthday hobbies favourite favorite me remember met spoke ping call black although though
    whereas unless despite during however meanwhile honestly actually basically apparently anyway besides maybe
    perhaps because whether either neither nor ex ex-wife ex-husband ex-boyfriend ex-girlfriend`
    .trim()
    .split(/\s+/),
  de: `
    jahr sommer herbst frühling monat wochenende ingenieur ingenieurin lehrer lehrerin hund katze kater pferd kunde
    kunden leute stadt land bin nutze benutze wohne lebe chefin sohn tochter frau mann bruder schwester mutter vater
    freund freundin freunde kollege kollegin kollegen nachbar nachbarin onkel tante oma opa eltern kinder kind söhne
    töchter neffe nichte cousine vorgesetzter vorgesetzte großmutter großvater ehefrau ehemann arzt ärztin jahre jahren woche
    uhr termin hause zuhause arbeitgeber stelle arbeit posten arbeitsplatz an in am ich du er sie es wir ihr mein
    meine meinen meinem meiner dein deine sein seine ihre unser unsere der die das den dem des ein eine einen und
    oder aber wenn weil dass mit bei nach aus von zu im auf fur seit bis nicht kein keine ist sind war waren hat
    haben januar februar marz märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag
    sonntag heute morgen gestern jetzt letzten letztes letzte letzter nachstes nächstes nächste nächsten früher ja
    nein bitte danke papa mama`
    .trim()
    .split(/\s+/),
  es: `
    jefe jefa perro gato vuelvo volví resido residimos empecé comencé perdí renuncié cambié reemplacé sustituí dejé
    no ella el la los las un una unos unas mi mis tu tus su sus nosotros yo usted y o pero si con en de del para por
    que se me te le lo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes
    martes miércoles miercoles jueves viernes sábado sabado domingo hoy mañana ayer ahora quiero vivo trabajo trabajé
    viví nací estudié uso usamos utilizo odio prefiero llamo soy estoy tengo ya`
    .trim()
    .split(/\s+/),
  fr: `
    chien chat on mon ma son du des un tu si en que le je j' il elle nous vous ils elles les l' d' une mes ton ta tes
    sa ses notre nos leur et ou mais ne n' pas dans avec chez pour par qui c' s' qu' m' t' ce cette ces janvier
    février mars avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi
    samedi dimanche aujourd'hui demain hier maintenant été papa`
    .trim()
    .split(/\s+/),
}

/** Lists of first names, places and brands hold these words, without accents. */
export const COMMON_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: `
    a an and are as at be but by can do for from go had has have he her here him his how i if in is it its me my no
    not of off on one or our out she so some the their them then there they this to too up us was we well were what
    when where who why will with would yes you your may april june july august monday tuesday wednesday thursday
    friday saturday sunday january february march september october november december today tomorrow yesterday spring
    summer autumn winter morning evening night time same most such many long short young old new black white brown
    gray green blue red best great good bad big small king prince love joy hope major general mister doctor see way
    even ever never always just like near next last first thanks please remember parking database mobile reading nice
    split bath than also date day week month year buy call let make man sun sky art user name city home house
    work team project manager boss client customer flight hotel meeting note notes build standup deadline budget
    server service error memory data code test version release ping met spoke main angel star storm rain river lake
    target gap visa shell boom craft square stripe steam box signal element notion buffer slides sheets mail drive
    docs maps photos headquarters goodness power price page bill mark rich frank bishop buck chance destiny faith
    harmony honey important read follow following before start know about hmm lol thank hi hello dear subject monthly
    weekly daily yearly sounds ignore sincerely regards cheers ok okay every each both whatever whenever mum mom dad
    mother father aunt uncle grandma grandpa sister brother son daughter wife husband`
    .trim()
    .split(/\s+/),
  de: `
    van von das der die den und ist mit ich wir sie er es ein eine mein meine letzten letzte nachstes nachste jahr
    termin`
    .trim()
    .split(/\s+/),
  es: `
    de la el los las que con por para una uno del mi mis su sus quiero querido`
    .trim()
    .split(/\s+/),
  fr: `
    la le que je tu il elle nous vous un une des les du et est dans pour avec sur mon ma mes hier`
    .trim()
    .split(/\s+/),
}

/** Names of those lists that without a capital are English words, or other words of languages beside it. */
export const NAMES_WITH_CAPITALS = `
  orange save ajax delta colon sig sale bam male oss perm enterprise normal union hue center nice cork split tours
  angers essen worms lens gent bury wells sandwich corona surprise independence concord page vista bar pale hull
  barking tea grant job max else line lone per fine peer said unique meta don noble trace promise dev param constant
  come alone alpha among idea floor dies kick valid skipped can will may mine song sunny rose dawn iris ivy olive
  pearl ruby violet daisy lily poppy heather jade amber crystal carol melody cherry candy penny sandy rusty rocky
  buddy guy pat rob sue drew chance chase hunter mason cooper baker carter tyler taylor sage reed wade cliff glen
  dale brook forest fox wolf bear bird colt drake duke earl king prince major miles rich stone west north east south
  young early long short little still dear gay cat lane lance mace pace race trip ski skip art gene dean cody rod van
  ray jay kay bay day hall ford park moss marsh heath ash elm edge word express flask rails spring vault linear
  phoenix helm force progress work works school home church college today tomorrow yesterday tonight online remote`
  .trim()
  .split(/\s+/)

/** Short English words that with capitals are abbreviations of names: "us" names no country. */
export const ABBREVIATION_LIKE_WORDS =
  'am an as at be can do go he i if in is it may me my no of ok on or so to up us we who will'.split(' ')
