/**
 * Words that a sentence can be full of without saying anything worth keeping: of agreement, of talk, of what one just does or
 * how one just feels, and words that point ("the second one"). They join the words of grammar. Verbs such as "like" stand
 * here too, since what counts is what somebody likes.
 */
export const SMALL_TALK: Readonly<Record<string, readonly string[]>> = {
  en: `
    ok okay yes no yeah yep nope sure thanks thank please sorry hello hi hey bye goodbye good great nice cool awesome amazing
    perfect fine well right wrong correct true false exactly really actually maybe perhaps probably definitely totally absolutely
    honestly basically literally just also too still again already yet now then later soon today tomorrow tonight ok
    know known knew think thought guess believe suppose mean meant see saw seen understand understood get gets got getting
    say says said tell told ask asked asking answer answers question questions help helps helped helping try tries tried trying
    let check checked look looks looked looking wait go goes going gone went come comes came coming want wants wanted need
    needs needed like likes liked love loves loved hate hates prefer prefers preferred enjoy enjoys enjoyed use uses used using
    make makes made making do does did done doing work works worked working fix fixed put give gave show showed read write
    wrote keep kept start started stop stopped happen happens happened seem seems seemed sound sounds sounded feel feels felt
    hope hoping wonder wondering figure figured change changed agree disagree care mind matter matters talk talked chat
    thing things stuff something anything everything nothing someone anyone everyone one ones first second third last next
    other others another way ways lot lots bit kind sort idea ideas sense point points option options version versions part
    parts example examples suggestion suggestions advice reply response message messages conversation explanation text
    moment minute second sec time times while day week weekend morning evening night
    better best worse worst bad big little much many few more most less least enough able happy glad excited tired hungry busy
    bored confused stuck curious ready back here there fun funny interesting helpful useful clear easy hard difficult same
    different new old long short possible impossible simple weird strange crazy lovely beautiful welcome alright
    haha lol wow hmm oh ah um uh yay omg im dont cant wont doesnt didnt ive id ill thats its gonna wanna lets
    am been being can could will would should shall may might must have has had having is are was were be
    i me my mine myself we us our ours you your yours he him his she her hers it they them their theirs who what which where when
    why how this that these those if because so not never always ever only very quite pretty rather don't doesn't didn't
    can't won't isn't aren't wasn't weren't couldn't wouldn't shouldn't haven't hasn't hadn't
    two again`
    .trim()
    .split(/\s+/),
  de: `
    ok okay ja nein doch danke bitte hallo hi tschüss gut super toll klar genau richtig falsch schön prima perfekt stimmt
    vielleicht wahrscheinlich wirklich eigentlich natürlich sicher gerne gern nur noch schon wieder auch mal jetzt gleich
    später heute morgen gerade bald
    weiß wissen denke denken glaube glauben meine meinst verstehe verstehen verstanden sehe sehen sage sagen gesagt frage fragen
    antwort antworten hilfe helfen hilft versuche versuchen versucht probiere schaue schauen warte gehe gehen geht komme kommen
    will wollen brauche brauchen mag mögen liebe liebst hasse bevorzuge finde finden nutze nutzen benutze mache machen gemacht
    funktioniert klappt geklappt scheint klingt fühle hoffe passiert ändern
    ding dinge sache sachen etwas alles nichts idee ideen sinn punkt option version teil beispiel vorschlag nachricht text
    moment minute zeit tag woche wochenende abend
    besser beste bester schlecht groß klein viel viele müde hungrig beschäftigt verwirrt bereit zurück hier da dort lustig
    interessant hilfreich einfach schwer schwierig gleich anders neu alt lange möglich froh`
    .trim()
    .split(/\s+/),
  es: `
    ok vale sí si no gracias hola adiós bien bueno buena genial perfecto claro exacto correcto cierto quizás quizá tal vez
    seguro realmente solo sólo también ya todavía aún ahora luego después pronto hoy mañana entonces pues
    sé saber creo creer pienso pensar entiendo entender veo ver digo decir dicho pregunta preguntas respuesta ayuda ayudar
    intento intentar probar mira espera voy ir va vamos vengo quiero querer necesito gusta gustan encanta encantan prefiero
    odio uso usar hago hacer hecho funciona funcionó parece suena siento espero pasa pasó cambiar es son soy estoy está están
    ser estar era tengo tiene tener hay fue ha he
    cosa cosas algo todo nada idea ideas sentido punto opción versión parte ejemplo sugerencia mensaje texto momento minuto
    tiempo día semana fin tarde noche
    mejor peor malo mala grande pequeño mucho mucha muchos muchas poco cansado cansada hambre ocupado listo lista vuelta aquí
    allí divertido interesante útil fácil difícil mismo diferente nuevo viejo posible contento feliz
    eso esa ese esto esta este aquello primera primero segunda segundo otra otro una uno yo mí mi mis me nos nuestro nuestra
    tú te ti tu tus usted`
    .trim()
    .split(/\s+/),
  fr: `
    ok oui non merci bonjour bonsoir salut bien bon bonne super génial parfait clair exact vrai faux peut-être vraiment
    seulement aussi encore déjà maintenant après bientôt aujourd'hui demain alors donc
    sais savoir pense penser crois croire comprends comprendre compris vois voir dis dire dit question questions réponse aide
    aider essaie essayer essayé regarde attends vais aller va vas viens veux vouloir besoin aime aimer adore préfère déteste
    utilise fais faire fait marche fonctionne semble sens espère passe changer
    chose choses quelque tout rien idée idées point option version partie exemple suggestion message texte moment minute temps
    jour semaine soir
    mieux pire mauvais grand petit beaucoup peu fatigué fatiguée faim occupé prêt retour ici là drôle intéressant utile facile
    difficile même différent nouveau vieux possible content heureux
    je moi mon ma mes nous notre nos tu toi ton ta tes vous votre vos il elle ils elles ça cela c'est j'ai deuxième premier
    première autre`
    .trim()
    .split(/\s+/),
}

/** Matches fillers of chat in Japanese and Chinese, which write no spaces; longer ones come first. */
export const UNSPACED_SMALL_TALK =
  /ありがとうございま(?:す|した)|ありがとう|おはようございます|おはよう|こんにちは|こんばんは|お疲れ様(?:です|でした)?|よろしくお願い(?:します|いたします)|よろしく|すみません|ごめんなさい|承知(?:しました|いたしました)|了解(?:です|しました)?|わかりました|分かりました|そうですね|なるほど|大丈夫です?|助かりま(?:す|した)|楽しみです?|元気です?|(?:いい)?天気|思いま(?:す|した)|思う|質問|返事|今日|明日|昨日|今|本当|一番|最高|面白い|良い|凄い|私たち|私|僕|俺|自分|何|方|事|時|人|你好|您好|谢谢|再见|好的|是的|明白|知道了|我们|我/g
