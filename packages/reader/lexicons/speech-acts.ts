import type { Wordings } from './wordings.ts'

/** Wordings of speech acts that are no statement of the speaker about the world. */

/** Words before the sentence proper: "Hi there, …", "Yes, …", "Also …". */
export const LEAD_INS: Wordings = {
  en: [
    /^(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day)|dear)(?:\s+(?:there|all|everyone|again|claude|assistant|chatgpt|team|bot))?(?=[\s,.!:;–-]|$)[\s,.!:;–-]*/u,
    /^(?:great|perfect|awesome|cool|nice|ok(?:ay)?|sure|yes|yeah|yep|no|nope|right|exactly|sounds good|got it|haha|lol|well|oh|ah|wow|hmm+|um|uh|actually|anyway|btw|by the way|also|so|and|but|fyi|for the record)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  ],
  de: [
    /^(?:hallo|guten (?:morgen|tag|abend)|servus|moin|ja|nein|genau|gut|super|toll|klar|also|übrigens|und|aber|achso|naja)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  ],
  es: [
    /^¡?(?:hola|buen(?:os|as) (?:días|tardes|noches)|sí|si|no|claro|vale|bueno|genial|perfecto|pues|además|por cierto|y|pero)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  ],
  fr: [
    /^(?:bonjour|bonsoir|salut|coucou|oui|non|si|d['’]accord|super|parfait|bon|ben|alors|au fait|et|mais|en fait)(?=[\s,.!:;–-])[\s,.!:;–-]+/u,
  ],
}

/** "Remember that …": what follows is what the speaker wants kept. */
export const KEEP_REQUESTS: Wordings = {
  en: [
    /^(?:please\s+)?(?:(?:also\s+)?remember|do(?:n['’]t| not) forget|note|keep in mind|bear in mind|for your information)(?:\s+that|\s*[:,])?\s+/u,
  ],
  de: [/^(?:bitte\s+)?(?:merk(?:e)? dir|denk daran|vergiss nicht|beachte)(?:,?\s+dass|\s*[:,])?\s+/u],
  es: [/^(?:por favor,?\s+)?(?:recuerda|no olvides|ten en cuenta)(?:\s+que|\s*[:,])?\s+/u],
  fr: [/^(?:s['’]il te plaît,?\s+)?(?:souviens-toi|retiens|n['’]oublie pas|note)(?:\s+que|\s+qu['’]|\s*[:,])?\s*/u],
}

/** A standing wish is a preference: "always answer in German". */
export const STANDING_WISHES: Wordings = {
  en: [
    /\b(?:always|never|from now on|going forward|in (?:the )?future|every time|each time|by default)\b/u,
    /^call me (?!back|later|when|if|at|tomorrow|today|a\b|an\b)/u,
  ],
  de: [/(?<!\p{L})(?:immer|niemals|ab jetzt|von nun an|künftig|in zukunft)(?!\p{L})|^nenn(?:e)? mich /u],
  es: [/(?<!\p{L})(?:siempre|nunca|de ahora en adelante|a partir de ahora)(?!\p{L})|^llámame /u],
  fr: [/(?<!\p{L})(?:toujours|désormais|dorénavant|à partir de maintenant)(?!\p{L})|^appelle-moi /u],
  ja: [/いつも|今後|これから(?:は|も)/u],
}

/** Somebody is asked to do something, or a question is announced. */
export const REQUESTS: Wordings = {
  en: [
    /\b(?:please|pls|plz)\b/u,
    /^(?:write|rewrite|explain|tell|show|give|help|generate|translate|summari[sz]e|suggest|recommend|describe|calculate|compute|convert|proofread|paraphrase|refactor|debug|analy[sz]e|elaborate|clarify|simplify|brainstorm|pretend|act as|imagine|suppose|supposing|assume|assuming|hypothetically|ignore|disregard|forget|continue|repeat|rephrase|respond|reply|let['’]s|let me|let us|remind me|do not|don['’]t|be (?:concise|brief|careful|honest|nice|creative|more|less|a))(?=[\s,.!:]|$)/u,
    /^(?:make|create|fix|find|list|compare|add|remove|draft|check|review|correct|improve|shorten|expand|try|use|run|print|return|output|search|look|read|extract|format|send|answer|stop|start|set|update|change|replace|delete|keep|put|turn|open|close|book|order|schedule|plan|design|build|implement|optimi[sz]e|test|define|provide|include|exclude|choose|pick|rank|sort|estimate|consider|outline|teach|ask|get|do|go|think|take|call)\s+(?:me|us|the|a|an|this|that|it|them|these|those|some|all|any|anything|every|everything|another|more|my|your|out|up)\b/u,
    /^(?:i['’]?d (?:like|love|want|need) (?:you to|to (?:know|understand|ask|hear)|a |an |some (?:help|ideas|advice))|i would like (?:you to|to (?:know|understand|ask|hear))|i (?:want|need) (?:you to|to (?:know|understand|ask)|help|advice|ideas|your|some (?:help|ideas|advice)|an? (?:function|script|regex|query|code|list|summary|table|prompt|title|poem|story|email|recipe|name|word|answer|example|explanation)\b)|i have (?:a|an|another|one|some|two|few) (?:quick |more |follow-?up |different |other )*questions?|i(?:['’]m| am) (?:asking|wondering|curious|trying to (?:understand|figure)|confused|not sure|unsure)|i was wondering|i wonder|i don['’]?t (?:know|understand|see|get)(?:\s+(?:what|how|why|if|whether|where|which|when|who|it|that|this|about|yet|much)\b|[\s.!,]*$)|my question|i meant?\b)/u,
  ],
  de: [
    /(?<!\p{L})bitte(?!\p{L})/u,
    /^(?:schreib|erklär|zeig|gib|hilf|erstell|übersetz|nenn|sag|vergleich|prüf|korrigier|verbesser|mach|fass|liste|such|finde|ignorier|vergiss)(?:e|st|t)?\s+(?!mich\b)|^ich (?:möchte|will|würde gerne?|hätte gerne?) (?:wissen|fragen|dass du)|^ich (?:brauche|bräuchte) (?:deine |ihre )?(?:hilfe|rat|einen rat)|^ich (?:habe|hätte) (?:da )?(?:mal )?(?:eine|noch eine|einige|ein paar)? ?fragen?|^ich (?:weiß|verstehe) (?:es |das )?nicht/u,
  ],
  es: [
    /(?<!\p{L})por favor(?!\p{L})/u,
    /^(?:escribe(?:me)?|explica(?:me)?|explícame|dime|dame|muéstra(?:me)?|ayúda(?:me)?|haz(?:me)?|crea(?:me)?|genera|traduce|resume|corrige|busca|encuentra|compara|ignora|olvida|imagina)(?=[\s,.!:]|$)|^(?:quiero|quisiera|me gustaría|necesito) (?:saber|preguntar|que (?:me|tú|escribas|hagas)|ayuda)|^tengo una (?:pregunta|duda)|^no (?:sé|entiendo)(?!\p{L})/u,
  ],
  fr: [
    /(?<!\p{L})(?:s['’]il (?:te|vous) plaît|stp|svp)(?!\p{L})/u,
    /^(?:écris|explique|dis|donne|montre|aide|fais|crée|génère|traduis|résume|corrige|trouve|cherche|compare|ignore|oublie|imagine)(?:-moi)?(?=[\s,.!:]|$)|^(?:je (?:voudrais|veux|souhaite)|j['’]aimerais) (?:savoir|que tu|que vous|comprendre)|^j['’]ai (?:besoin d['’]aide|une question)|^je ne (?:sais|comprends) pas\b/u,
  ],
  ja: [/(?:ください|下さい|お願い(?:し|いた|致|。|$)|てほしい|て欲しい|教えて|してくれ|頼みます|ちょうだい)/u],
  zh: [/^(?:请|帮我|告诉我|解释)/u],
}

/** "If I were rich" tells what is not. */
export const SUPPOSITIONS: Wordings = {
  en: [/^(?:let(?:['’]s|s| us) say|say) (?:that )?i\b|^if (?:i|we) (?:were|had)\b/u],
  de: [/^(?:angenommen|stell dir vor|nehmen wir an)(?!\p{L})|^wenn ich (?:\p{L}+ )*(?:wäre|hätte)(?!\p{L})/u],
  es: [/^(?:supongamos|supón|si (?:yo )?fuera|si tuviera)(?!\p{L})/u],
  fr: [/^(?:supposons|imaginons|si j['’]étais|si j['’]avais)(?!\p{L})/u],
}

/** Sentences about the one who is spoken to, wishes, and what is said out of courtesy. */
export const PLEASANTRIES: Wordings = {
  en: [
    /^(?:you|your|yours|you['’](?:re|ve|ll|d)|u)\b/u,
    /^(?:have a|have fun|enjoy (?:your|the|it|!|$)|happy (?:birthday|new year|easter|holidays|friday|monday|weekend)|merry |congrat|good (?:luck|job|idea|point|question|one|answer|work)|take care|see you|see ya|talk (?:to you )?(?:later|soon|tomorrow)|bye|goodbye|(?:best|kind|warm) (?:regards|wishes)|regards|welcome|no problem|no worries|never ?mind|of course|fair enough|what an? |how (?:nice|lovely|sweet|cool|funny|sad|interesting))/u,
    /^(?:i (?:really |truly |very much )?(?:hope|appreciate) (?:you|your|this|that|it)|hope (?:you|this|that|all)|nice to (?:meet|see|hear)|glad to (?:hear|help|know)|it(?:['’]s| was| is) (?:nice|good|great|lovely|a pleasure) (?:to (?:meet|talk|chat|hear)|talking|chatting)|how(?:['’]s| is) it going)/u,
    /^(?:it['’]s|it is|it was|the weather|weather|today is|today['’]s)\b.{0,30}\b(?:raining|sunny|cloudy|cold|hot|warm|rainy|snowing|windy|lovely|beautiful|nice|gorgeous|terrible)\b[^,]{0,20}$/u,
  ],
  de: [
    /^(?:danke|vielen dank|tschüss|bis (?:bald|morgen|dann|später)|auf wiedersehen|gern geschehen|kein problem|schönen? (?:tag|abend|wochenende)|du bist|sie sind|du hast|alles gute|viel (?:spaß|glück|erfolg)|wie geht)/u,
  ],
  es: [
    /^¡?(?:gracias|muchas gracias|adiós|hasta (?:luego|mañana|pronto)|de nada|eres (?:muy|un|una|el|la|genial)|qué (?:bien|bueno|tal|lindo)|buen (?:día|trabajo|fin)|feliz |que tengas)/u,
  ],
  fr: [
    /^(?:merci|au revoir|à (?:bientôt|demain|plus)|de rien|bonne (?:journée|soirée|nuit|chance)|bon (?:week-end|courage|appétit)|tu es|vous êtes|joyeux |félicitations|ça va|c['’]est (?:gentil|super|parfait|bon|noté))/u,
  ],
  ja: [/^(?:ありがとう|どうも|すみません|ごめん|お疲れ|よろしく|いい天気|あなた)/u],
}

/** The text after it is mostly a quotation of somebody else: "Here is the e-mail:". */
export const ANNOUNCEMENTS: Wordings = {
  en: [/^(?:here(?:['’]s| is| are)|this is|these are|below (?:is|are)|see(?: below)?|attached)(?!\p{L})[^.!]*[:：]$/u],
  de: [/^(?:hier (?:ist|sind|kommt)|anbei)(?!\p{L})[^.!]*[:：]$/u],
  es: [/^(?:aquí (?:está|están|tienes|va)|este es)(?!\p{L})[^.!]*[:：]$/u],
  fr: [/^(?:voici|voilà)(?!\p{L})[^.!]*[:：]$/u],
}

/** A sentence of thanks or excuse, after which something may be told. */
export const THANKS: Wordings = {
  en: [
    /^(?:many |ok(?:ay)?,? |great,? |perfect,? )?(?:thanks|thank you|thx|ty|cheers|sorry|apologies|my apologies|my bad)\b/u,
  ],
}

/** Says what an assistant is or has to be, as system prompts do, and praise: "You are a great assistant!" */
export const ROLES: Wordings = {
  en: [
    /(?:^|[\n.!?])[^\S\n]{0,8}(?:system\s*:\s*)?(?:you are|you['’]re|act as|pretend (?:to be|you are)|your (?:task|role|job|goal) is to|as an ai)\b[^\n]{0,120}\b(?:assistants?|bots?|chatbots?|ai|language model|experts?|agents?|helpers?|engineers?|developers?|teachers?|tutors?|writers?|analysts?|act)\b/u,
    /\b(?:system prompt|ignore (?:all|any|the)? ?(?:previous|prior|above|earlier) (?:instructions|prompts?|messages))\b/u,
  ],
  de: [
    /(?:^|[\n.!?])[^\S\n]{0,8}(?:du bist ein|sie sind ein)\p{L}*\s[^\n]{0,80}(?:assistent|asistente|assistant|expert|ki\b|ia\b|modell|modelo|modèle)/u,
  ],
  es: [
    /(?:^|[\n.!?])[^\S\n]{0,8}(?:eres un)\p{L}*\s[^\n]{0,80}(?:assistent|asistente|assistant|expert|ki\b|ia\b|modell|modelo|modèle)/u,
  ],
  fr: [
    /(?:^|[\n.!?])[^\S\n]{0,8}(?:tu es un|vous êtes un)\p{L}*\s[^\n]{0,80}(?:assistent|asistente|assistant|expert|ki\b|ia\b|modell|modelo|modèle)/u,
  ],
  ja: [/あなたは[^\n。]{0,60}(?:アシスタント|AI|専門家|ボット)/u],
}

/** A request that is about what comes after it: "Translate the following: …". */
export const MATERIAL_REQUESTS: Wordings = {
  en: [
    /\b(?:summari[sz]|translat|proofread|rewrite|rephrase|paraphrase|correct|review|edit|fix|shorten|improve|analy[sz]|extract|convert|format|polish|check)\p{L}*\b.{0,60}(?:\b(?:this|following|below|these|text|paragraph|article|email|letter|code|sentence)\b|:\s*$)/u,
  ],
  de: [
    /(?<!\p{L})(?:übersetz|korrigier|verbesser|zusammen|fass|prüf|überarbeit)\p{L}*.{0,60}(?:folgende|diesen?|text|unten|:\s*$)/u,
  ],
  es: [/(?<!\p{L})(?:traduc|corrig|resum|mejora|revisa|reescrib)\p{L}*.{0,60}(?:siguiente|este|esta|texto|:\s*$)/u],
  fr: [/(?<!\p{L})(?:traduis|corrige|résume|améliore|relis|reformule)\p{L}*.{0,60}(?:suivant|ce|cette|texte|:\s*$)/u],
  ja: [/(?:以下|次の|この)(?:文|文章|テキスト|記事|コード).{0,30}(?:訳|翻訳|要約|直|添削|修正)/u],
}
