import { isQuestion } from 'mneme/plugin'

/** Speech acts that are no statement of the user about the world. Languages: en, de, es, fr, ja. */

const either = (...patterns: readonly RegExp[]) => new RegExp(patterns.map(({ source }) => source).join('|'), 'iu')

/** Words before the sentence proper: "Hi there, …", "Yes, …", "Also …". */
const LEAD_IN = either(
  /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|dear)(?:\s+(?:there|all|everyone|again|claude|assistant|chatgpt|team|bot))?(?=[\s,.!:;–-]|$)[\s,.!:;–-]*/u,
  /^(?:great|perfect|awesome|cool|nice|ok(?:ay)?|sure|yes|yeah|yep|no|nope|right|exactly|sounds good|got it|haha|lol|well|oh|ah|wow|hmm+|um|uh|actually|anyway|btw|by the way|also|so|and|but|fyi|for the record)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  /^(?:hallo|guten (?:morgen|tag|abend)|servus|moin|ja|nein|genau|gut|super|toll|klar|also|übrigens|und|aber|achso|naja)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  /^¡?(?:hola|buen(?:os|as) (?:días|tardes|noches)|sí|si|no|claro|vale|bueno|genial|perfecto|pues|además|por cierto|y|pero)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  /^(?:bonjour|bonsoir|salut|coucou|oui|non|si|d['’]accord|super|parfait|bon|ben|alors|au fait|et|mais|en fait)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
)

/** "Remember that …": what follows is what the user wants kept. */
const KEEP = either(
  /^(?:please\s+)?(?:(?:also\s+)?remember|do(?:n['’]t| not) forget|note|keep in mind|bear in mind|for your information)(?:\s+that|\s*[:,])?\s+/u,
  /^(?:bitte\s+)?(?:merk(?:e)? dir|denk daran|vergiss nicht|beachte)(?:,?\s+dass|\s*[:,])?\s+/u,
  /^(?:por favor,?\s+)?(?:recuerda|no olvides|ten en cuenta)(?:\s+que|\s*[:,])?\s+/u,
  /^(?:s['’]il te plaît,?\s+)?(?:souviens-toi|retiens|n['’]oublie pas|note)(?:\s+que|\s+qu['’]|\s*[:,])?\s*/u,
)

const NOT_A_PRONOUN = /(?!(?:i|we|he|she|it|they|you|my)\b)/.source

/** A verb before its subject: a statement does not begin so. */
const INVERTED = either(
  /^(?:is|are|was|were|do|does|did|can|could|should|would|will|have|has|may|am|isn['’]t|aren['’]t|don['’]t|doesn['’]t|didn['’]t|can['’]t|couldn['’]t|won['’]t|wouldn['’]t|shouldn['’]t)\s+(?:i|you|we|he|she|it|they|there|this|that|anyone|someone|somebody|people|any)\b/u,
  /^(?:kannst|könntest|würdest|hast|bist|weißt|magst|willst|meinst|denkst) du\b|^(?:können|könnten|würden|haben|wissen) sie\b|^gibt es\b/u,
  /^\p{L}+-(?:tu|vous|il|elle|je|t-il|t-elle)\b/u,
)

/** These words begin subordinate clauses and subjects as well: "When Anna is away, …", "What I love is …". */
const QUESTION_WORDS = either(
  new RegExp(
    `^(?:what|how|why|who|whom|whose|where|when|which)(?:['’](?:s|re|d))?\\s+(?:is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|many|much|long|often|far|old|to|about|if|kind|type|sort|time|${NOT_A_PRONOUN}\\p{L}+\\s+(?:is|are|do|does|did|should|can|would))\\b`,
  ),
  /^(?:was|wie|warum|wieso|weshalb|wer|wen|wem|wo|wohin|woher|wann|welche[rsmn]?)\s+(?:ist|sind|war|waren|hat|haben|hast|kann|kannst|können|könnte|soll|sollte|sollen|muss|macht|mache|bedeutet|heißt|gibt|geht|funktioniert|viel|viele|lange|oft|wird|würde|würdest|meinst|denkst)\b/u,
  /^(?:qué|cómo|por qué|quién(?:es)?|dónde|cuándo|cuál(?:es)?|cuánt[oa]s?)(?!\p{L})/u,
  /^(?:qu['’]est-ce|est-ce que|comment|pourquoi|combien|quel(?:le)?s? (?:est|sont|heure)|où (?:est|sont|se|puis|peut)|qui (?:est|sont|a))\b/u,
)

/** Whoever ends a sentence by this sign states something; in chats questions often end without any. */
const STOP = /(?<!\.)[.。．؛।]["'”’»)\]」』]*\s*$/u

/** Tells whether a sentence asks something: by its sign, by its word order, or by its first word where no sign says otherwise. */
function asks(sentence: string): boolean {
  return isQuestion(sentence) || INVERTED.test(sentence) || (!STOP.test(sentence) && QUESTION_WORDS.test(sentence))
}

/** A standing wish is a preference: "always answer in German". */
const STANDING = either(
  /\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|by default)\b/u,
  /^call me (?!back|later|when|if|at|tomorrow|today|a\b|an\b)/u,
  /(?<!\p{L})(?:immer|niemals|ab jetzt|von nun an|künftig|in zukunft|siempre|nunca|de ahora en adelante|a partir de ahora|toujours|désormais|dorénavant|à partir de maintenant)(?!\p{L})|^nenn(?:e)? mich |^llámame |^appelle-moi /u,
  /いつも|今後|これから(?:は|も)/u,
)

const DETERMINER =
  /(?:me|us|the|a|an|this|that|it|them|these|those|some|all|any|anything|every|everything|another|more|my|your|out|up)\b/
    .source

const REQUEST = either(
  /\b(?:please|pls|plz)\b|(?<!\p{L})(?:bitte|por favor|s['’]il (?:te|vous) plaît|stp|svp)(?!\p{L})/u,
  /^(?:write|rewrite|explain|tell|show|give|help|generate|translate|summari[sz]e|suggest|recommend|describe|calculate|compute|convert|proofread|paraphrase|refactor|debug|analy[sz]e|elaborate|clarify|simplify|brainstorm|pretend|act as|imagine|suppose|supposing|assume|assuming|hypothetically|ignore|disregard|forget|continue|repeat|rephrase|respond|reply|let['’]s|let me|let us|remind me|do not|don['’]t|be (?:concise|brief|careful|honest|nice|creative|more|less|a))(?=[\s,.!:]|$)/u,
  new RegExp(
    `^(?:make|create|fix|find|list|compare|add|remove|draft|check|review|correct|improve|shorten|expand|try|use|run|print|return|output|search|look|read|extract|format|send|answer|stop|start|set|update|change|replace|delete|keep|put|turn|open|close|book|order|schedule|plan|design|build|implement|optimi[sz]e|test|define|provide|include|exclude|choose|pick|rank|sort|estimate|consider|outline|teach|ask|get|do|go|think|take|call)\\s+${DETERMINER}`,
  ),
  /^(?:i['’]?d (?:like|love|want|need) (?:you to|to (?:know|understand|ask|hear)|a |an |some (?:help|ideas|advice))|i would like (?:you to|to (?:know|understand|ask|hear))|i (?:want|need) (?:you to|to (?:know|understand|ask)|help|advice|ideas|your|some (?:help|ideas|advice)|an? (?:function|script|regex|query|code|list|summary|table|prompt|title|poem|story|email|recipe|name|word|answer|example|explanation)\b)|i have (?:a|an|another|one|some|two|few) (?:quick |more |follow-?up |different |other )*questions?|i(?:['’]m| am) (?:asking|wondering|curious|trying to (?:understand|figure)|confused|not sure|unsure)|i was wondering|i wonder|i don['’]?t (?:know|understand|see|get)(?:\s+(?:what|how|why|if|whether|where|which|when|who|it|that|this|about|yet|much)\b|[\s.!,]*$)|my question|i meant?\b)/u,
  /^(?:schreib|erklär|zeig|gib|hilf|erstell|übersetz|nenn|sag|vergleich|prüf|korrigier|verbesser|mach|fass|liste|such|finde|ignorier|vergiss)(?:e|st|t)?\s+(?!mich\b)|^ich (?:möchte|will|würde gerne?|hätte gerne?) (?:wissen|fragen|dass du)|^ich (?:brauche|bräuchte) (?:deine |ihre )?(?:hilfe|rat|einen rat)|^ich (?:habe|hätte) (?:da )?(?:mal )?(?:eine|noch eine|einige|ein paar)? ?fragen?|^ich (?:weiß|verstehe) (?:es |das )?nicht/u,
  /^(?:escribe(?:me)?|explica(?:me)?|explícame|dime|dame|muéstra(?:me)?|ayúda(?:me)?|haz(?:me)?|crea(?:me)?|genera|traduce|resume|corrige|busca|encuentra|compara|ignora|olvida|imagina)(?=[\s,.!:]|$)|^(?:quiero|quisiera|me gustaría|necesito) (?:saber|preguntar|que (?:me|tú|escribas|hagas)|ayuda)|^tengo una (?:pregunta|duda)|^no (?:sé|entiendo)(?!\p{L})/u,
  /^(?:écris|explique|dis|donne|montre|aide|fais|crée|génère|traduis|résume|corrige|trouve|cherche|compare|ignore|oublie|imagine)(?:-moi)?(?=[\s,.!:]|$)|^(?:je (?:voudrais|veux|souhaite)|j['’]aimerais) (?:savoir|que tu|que vous|comprendre)|^j['’]ai (?:besoin d['’]aide|une question)|^je ne (?:sais|comprends) pas\b/u,
  // "If I were rich" tells what is not.
  /^(?:let(?:['’]s|s| us) say|say) (?:that )?i\b|^if (?:i|we) (?:were|had)\b|^(?:angenommen|stell dir vor|nehmen wir an)(?!\p{L})|^wenn ich (?:\p{L}+ )*(?:wäre|hätte)(?!\p{L})|^(?:supongamos|supón|si (?:yo )?fuera|si tuviera)(?!\p{L})|^(?:supposons|imaginons|si j['’]étais|si j['’]avais)(?!\p{L})/u,
  /(?:ください|下さい|お願い(?:し|いた|致|。|$)|てほしい|て欲しい|教えて|してくれ|頼みます|ちょうだい)/u,
  /^(?:请|帮我|告诉我|解释)/u,
)

/** About the one who is spoken to, wishes, and what is said out of courtesy. */
const COURTESY = either(
  /^(?:you|your|yours|you['’](?:re|ve|ll|d)|u)\b/u,
  /^(?:have a|have fun|enjoy (?:your|the|it|!|$)|happy (?:birthday|new year|easter|holidays|friday|monday|weekend)|merry |congrat|good (?:luck|job|idea|point|question|one|answer|work)|take care|see you|see ya|talk (?:to you )?(?:later|soon|tomorrow)|bye|goodbye|(?:best|kind|warm) (?:regards|wishes)|regards|welcome|no problem|no worries|never ?mind|of course|fair enough|what an? |how (?:nice|lovely|sweet|cool|funny|sad|interesting))/u,
  /^(?:i (?:really |truly |very much )?(?:hope|appreciate) (?:you|your|this|that|it)|hope (?:you|this|that|all)|nice to (?:meet|see|hear)|glad to (?:hear|help|know)|it(?:['’]s| was| is) (?:nice|good|great|lovely|a pleasure) (?:to (?:meet|talk|chat|hear)|talking|chatting)|how(?:['’]s| is) it going)/u,
  /^(?:it['’]s|it is|it was|the weather|weather|today is|today['’]s)\b.{0,30}\b(?:raining|sunny|cloudy|cold|hot|warm|rainy|snowing|windy|lovely|beautiful|nice|gorgeous|terrible)\b[^,]{0,20}$/u,
  // The text after it is mostly a quotation of somebody else.
  /^(?:here(?:['’]s| is| are)|this is|these are|below (?:is|are)|see(?: below)?|attached|hier (?:ist|sind|kommt)|anbei|aquí (?:está|están|tienes|va)|este es|voici|voilà)(?!\p{L})[^.!]*[:：]$/u,
  /^(?:danke|vielen dank|tschüss|bis (?:bald|morgen|dann|später)|auf wiedersehen|gern geschehen|kein problem|schönen? (?:tag|abend|wochenende)|du bist|sie sind|du hast|alles gute|viel (?:spaß|glück|erfolg)|wie geht)/u,
  /^¡?(?:gracias|muchas gracias|adiós|hasta (?:luego|mañana|pronto)|de nada|eres (?:muy|un|una|el|la|genial)|qué (?:bien|bueno|tal|lindo)|buen (?:día|trabajo|fin)|feliz |que tengas)/u,
  /^(?:merci|au revoir|à (?:bientôt|demain|plus)|de rien|bonne (?:journée|soirée|nuit|chance)|bon (?:week-end|courage|appétit)|tu es|vous êtes|joyeux |félicitations|ça va|c['’]est (?:gentil|super|parfait|bon|noté))/u,
  /^(?:ありがとう|どうも|すみません|ごめん|お疲れ|よろしく|いい天気|あなた)/u,
)

const GRATITUDE =
  /^(?:many |ok(?:ay)?,? |great,? |perfect,? )?(?:thanks|thank you|thx|ty|cheers|sorry|apologies|my apologies|my bad)\b/i

const PROMPT_BEGINS = /(?:^|[\n.!?])[^\S\n]{0,8}(?:system\s*:\s*)?/.source
const OF_AN_ASSISTANT =
  /\b[^\n]{0,120}\b(?:assistants?|bots?|chatbots?|ai|language model|experts?|agents?|helpers?|engineers?|developers?|teachers?|tutors?|writers?|analysts?|act)\b/
    .source

/** Says what the assistant is or has to be, as system prompts do, and praise: "You are a great assistant!" */
const ROLE = either(
  new RegExp(
    `${PROMPT_BEGINS}(?:you are|you['’]re|act as|pretend (?:to be|you are)|your (?:task|role|job|goal) is to|as an ai)${OF_AN_ASSISTANT}`,
    'u',
  ),
  /\b(?:system prompt|ignore (?:all|any|the)? ?(?:previous|prior|above|earlier) (?:instructions|prompts?|messages))\b/u,
  /(?:^|[\n.!?])[^\S\n]{0,8}(?:du bist ein|sie sind ein|eres un|tu es un|vous êtes un)\p{L}*\s[^\n]{0,80}(?:assistent|asistente|assistant|expert|ki\b|ia\b|modell|modelo|modèle)/u,
  /あなたは[^\n。]{0,60}(?:アシスタント|AI|専門家|ボット)/u,
)

/** A request that is about what comes after it: "Translate the following: …". */
const ABOUT_MATERIAL = either(
  /\b(?:summari[sz]|translat|proofread|rewrite|rephrase|paraphrase|correct|review|edit|fix|shorten|improve|analy[sz]|extract|convert|format|polish|check)\p{L}*\b.{0,60}(?:\b(?:this|following|below|these|text|paragraph|article|email|letter|code|sentence)\b|:\s*$)/u,
  /(?<!\p{L})(?:übersetz|korrigier|verbesser|zusammen|fass|prüf|überarbeit)\p{L}*.{0,60}(?:folgende|diesen?|text|unten|:\s*$)/u,
  /(?<!\p{L})(?:traduc|corrig|resum|mejora|revisa|reescrib)\p{L}*.{0,60}(?:siguiente|este|esta|texto|:\s*$)/u,
  /(?<!\p{L})(?:traduis|corrige|résume|améliore|relis|reformule)\p{L}*.{0,60}(?:suivant|ce|cette|texte|:\s*$)/u,
  /(?:以下|次の|この)(?:文|文章|テキスト|記事|コード).{0,30}(?:訳|翻訳|要約|直|添削|修正)/u,
)

export const speechActs = {
  isQuestion: asks,
  isRequest: (sentence: string) => REQUEST.test(sentence) && !STANDING.test(sentence),
  isStandingWish: (sentence: string) => STANDING.test(sentence) && REQUEST.test(sentence),
  isCourtesy: (sentence: string) => COURTESY.test(sentence),
  isThanks: (sentence: string) => GRATITUDE.test(sentence),
  givesRole: (message: string) => ROLE.test(message),
  isAboutMaterial: (sentence: string) => ABOUT_MATERIAL.test(sentence),
}

/** Removes a sentence's introductory words; at most a few of them follow one another. */
export function withoutLeadIn(sentence: string): string {
  let rest = sentence.trim()
  for (let n = 0; n < LEAD_INS_MAX; n++) {
    const shorter = rest.replace(LEAD_IN, '').trim()
    if (shorter === rest) break
    rest = shorter
  }
  return rest
}

const LEAD_INS_MAX = 4

/** Returns the statement that the user asks to remember, without the request itself; undefined when there is none. */
export function askedToKeep(sentence: string): string | undefined {
  const found = KEEP.exec(sentence)
  const rest = found ? sentence.slice(found[0].length).trim() : ''
  return rest === '' ? undefined : rest
}
