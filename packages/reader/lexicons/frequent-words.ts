/**
 * Frequent words by which short statements tell their language, beside its words of grammar: the verbs of everyday facts, and
 * pronouns and prepositions.
 */
export const FREQUENT_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: `
    user users prefers uses owns plays drives an our us team new into the is are was i my he she they we you his her
    their at on to of with for and or not be have has had do does who from this that don't works lives likes loves
    uses moved left now by as last next then when what there about just been can me us them after before because
    still some went got married job since until year week no longer anymore any more never always again over up out
    off back into than very really too would could should will am were these those your which how why every each
    today yesterday both enjoys hates quit lost stopped switched replaced`
    .trim()
    .split(/\s+/),
  de: `
    auch wird werden sich des als ich der die das den dem ist sind war bin mein meine meinen er sie wir ihr und oder
    nicht kein keine keinen mit bei nach aus von zu im am ein eine einen wurde hat haben haben seit heißt wohne
    wohnt lebt arbeite arbeitet mag liebt für jetzt waren geboren letzten nächsten heiße leite verlassen gezogen
    verheiratet studiert benutzen benutzt nutzt nutze benutze verwendet verwende wohnen mehr wieder umgezogen
    gekündigt gewechselt`
    .trim()
    .split(/\s+/),
  es: `
    fue ha al como más le tiene tengo esta este nos hace yo el la los las es son era mi mis su sus ella nosotros y o
    no con en de del para por un una que se me ya desde trabajo trabaja vivo vive llama llamo gusta está estoy nació
    dejó estudió usamos ahora muy pero uso usa utiliza utilizo vivía viví trabajaba trabajé mudó mudé gustan odio
    prefiero mudado trasladado resido empecé empezado despidió dejado perdí renuncié cambié cambiado reemplacé usar
    hemos encanta cansé sino divorciamos`
    .trim()
    .split(/\s+/),
  fr: `
    été par ont dans sur pour qui je j' le la les l' est sont était mon ma mes son sa ses il elle nous et ou ne n'
    pas plus avec en de du des chez à au un une que se s' d' depuis travaille habite vis aime suis appelle née né
    quitté utilisons mais utilise déménagé travaillé travaillais habitais chez licencié licenciée commencé installer
    installé divorcé assez m' moi avons`
    .trim()
    .split(/\s+/),
}
