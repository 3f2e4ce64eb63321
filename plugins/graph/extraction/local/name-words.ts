/** Words that tell what a name names, in the languages that are read; folded. */

const set = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/))

export const ORGANIZATION_TAILS = set(` service authority police army navy court nations museum gmbh observatory 
  inc inc. ltd ltd. llc gmbh ag kg se sa s.a. spa bv nv plc corp corp. corporation company co co. group holdings holding partners
  sons associates ventures capital labs lab laboratories systems technologies technology software solutions services industries
  analytics robotics pharmaceuticals pharma biotech healthcare consulting consultants insurance bank airlines airways motors
  electric electronics energy foods steel media studios studio entertainment publishing press records university college school
  academy institute institut hospital clinic klinik foundation trust association society club team choir orchestra band union
  league federation council ministry department agency committee commission church museum library theatre theater gallery
  hotel resort restaurant cafe bakery brewery supermarket pharmacy city united fc universitat hochschule gymnasium verein
  stiftung krankenhaus universite universidad lycee high elementary primary preparatory health games logistics networks telecom telecommunications aerospace architects collective
  cooperative startup digital interactive games bank's parish charity centre center brothers bros institution partners works`)

export const ORGANIZATION_HEADS = set(` studio studios united 
  university universidad universite universita universidade universitat universite tu bank banco banque banca hospital hopital hotel
  lycee college colegio escuela ecole instituto institute institut ministry department school academy museum museo musee club clinica
  clinique association fundacion fundacao fondation society order church royal restaurant cafe credit st. saint national federal
  klinikum uniklinik universitatsklinikum stadtwerke grupo groupe compagnie technische fachhochschule hochschule imperial massachusetts red`)

export const PLACE_HEADS =
  set(`mount mt mt. lake lago lac river rio isle island islands gulf cape cabo san santa santo sao sankt saint port puerto
  villa fort new north south east west los las el monte val costa upper lower greater republic kingdom bay playa ile`)

export const PLACE_TAILS =
  set(`tower bridge castle palace cathedral temple plaza island islands river lake mountain mountains canyon valley beach bay park forest desert falls street st. road
  avenue square county province state district hills heights springs coast peninsula city town village national glacier fjord
  airport station`)

export const THING_HEADS =
  set(`project operation toyota honda ford volkswagen bmw audi mercedes tesla hyundai kia nissan mazda volvo subaru
  skoda seat fiat renault peugeot citroen opel porsche ferrari yamaha suzuki kawasaki ducati vespa canon nikon fujifilm leica sony samsung
  google microsoft apple macbook iphone ipad kindle galaxy pixel playstation xbox nintendo lego`)

/** Written with a capital but never a name by itself. */
export const NEVER_NAMES = set(`
  chef jefe jefa chefs
  thai vietnamese ukrainian persian hungarian romanian bulgarian croatian serbian nigerian kenyan ethiopian egyptian moroccan argentinian chilean colombian
  peruvian cuban filipino indonesian malay nepali pakistani bengali tamil urdu swahili yoruba igbo welsh gaelic basque catalan belgian austrian swiss
  jahr sommer winter herbst frühling monat wochenende ingenieur ingenieurin lehrer lehrerin hund katze kater pferd kunde kunden leute stadt land
  chien chat perro gato
  migrated switched changed traded swapped relocated quit resigned dropped ditched settled ended replaced poached hired returned handed retired divorced
  broke split packed update goodbye bye farewell bin nutze benutze wohne lebe vuelvo volví works worked working lives lived living likes loves hates dislikes enjoys prefers joined moved left started born studied studies visited went uses
  using owns married manages reports knows wants plans has have got bought sold founded created built wrote grew travelled learned learning speaks plays drives
  chefin sohn tochter frau mann bruder schwester mutter vater freund freundin freunde kollege kollegin kollegen nachbar nachbarin onkel tante oma opa
  eltern kinder kind söhne töchter neffe nichte cousine vorgesetzter vorgesetzte großmutter großvater ehefrau ehemann arzt ärztin jahre
  jahren woche monat uhr termin
  hause zuhause arbeitgeber job stelle arbeit posten arbeitsplatz resido residimos empecé comencé perdí renuncié cambié reemplacé sustituí dejé
  i i'm i've i'd i'll a an the my our your his her its their we he she it they you this that these those there here
  and or but if so as at by in of on to up off out over with without from for about after before since until while when where why
  how what who which whose is are was were be been do does did has have had can could will would shall should may might must not no
  don't doesn't didn't isn't aren't wasn't weren't won't can't couldn't wouldn't yes please thanks thank ok okay hi hello hey hmm lol
  january february march april june july august september october november december jan feb mar apr jun jul aug sep sept oct nov dec
  monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays
  mon tue wed thu fri sat sun today tomorrow yesterday tonight now then later next last every each both all some any most many
  once soon recently currently previously formerly together sometimes always never also just only even still yet
  easter christmas ramadan diwali hanukkah thanksgiving halloween spring summer autumn winter
  english german french italian spanish portuguese russian dutch swedish norwegian danish finnish polish czech turkish arabic hebrew
  japanese chinese korean hindi mandarin greek latin american british irish scottish african asian european indian canadian australian mexican brazilian
  api url http https json xml html css id ui ux faq ceo cto cfo coo cmo vp hr it pr phd mba bsc msc ba ma dna tv pc usb pdf csv utc gmt
  am pm est pst asap eta fyi todo tbd wip kpi okr roi vat gdpr sdk cli ide ai ml nlp llm mri gp gps wifi wi-fi error warn info debug
  typeerror select insert update delete create where null true false undefined important warning note ps re fw fwd
  aunt uncle mum mom mother dad father grandma grandpa grandmother grandfather sister brother son daughter wife husband cousin
  mr mrs ms sir madam miss
  user users employer name city job title email phone address age role company country location birthday hobbies favourite favorite
  ich du er sie es wir ihr mein meine meinen meinem meiner dein deine sein seine ihre unser unsere der die das den dem des ein eine einen
  und oder aber wenn weil dass mit bei nach aus von zu im am in an auf fur seit bis nicht kein keine ist sind war waren hat haben
  januar februar marz märz mai juni juli oktober dezember montag dienstag mittwoch donnerstag freitag samstag sonntag
  heute morgen gestern jetzt letzten letztes letzte letzter nachstes nächstes nächste nächsten früher ja nein bitte danke
  ella el la los las un una unos unas mi mis tu tus su sus nosotros yo usted y o pero si no con en de del para por que se me te le lo
  enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre lunes martes miércoles miercoles jueves viernes
  sábado sabado domingo hoy mañana ayer ahora quiero vivo trabajo trabajé viví nací estudié uso usamos utilizo odio prefiero llamo soy estoy tengo ya
  je j' tu il elle on nous vous ils elles le les l' d' du des un une mon ma mes ton ta tes son sa ses notre nos leur et ou mais si ne n' pas
  en dans avec chez pour par que qui c' s' qu' m' t' ce cette ces janvier février mars avril juin juillet août septembre octobre novembre
  décembre lundi mardi mercredi jeudi vendredi samedi dimanche aujourd'hui demain hier maintenant été
  remember met spoke ping call black papa mama oma opa
  although though while whereas unless despite during however meanwhile honestly actually basically apparently anyway besides maybe perhaps
  because since whether either neither nor ex ex-wife ex-husband ex-boyfriend ex-girlfriend`)
