import { tokensOf } from './tokens.ts'

/**
 * Decides whether the meaning of a text depends on the day it is said: "We meet tomorrow", "Ada called on Monday". The same words on
 * another day make another statement.
 */
export function dependsOnDay(text: string): boolean {
  if (WITHOUT_SPACES.test(text)) return true
  const words = tokensOf(text).flatMap(({ kind, text: word }) => (kind === 'word' ? [word] : []))
  return words.some((word, index) => {
    if (DAYS.has(word)) return true
    return POINTING.has(word) && (SPANS.has(words[index - 1] ?? '') || SPANS.has(words[index + 1] ?? ''))
  })
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(' '))

/** These words name a day or a time of day (English, German, French, Spanish, Italian, Portuguese, Arabic). */
const DAYS = words(
  'today tonight yesterday tomorrow now ago recently lately soon earlier later just yet already still currently nowadays ' +
    'monday tuesday wednesday thursday friday saturday sunday ' +
    'heute gestern vorgestern morgen übermorgen jetzt gerade neulich kürzlich bald gleich vorhin später früher ' +
    'montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag ' +
    "aujourd'hui hier avant-hier demain après-demain maintenant récemment bientôt tantôt " +
    'lundi mardi mercredi jeudi vendredi samedi dimanche ' +
    'hoy ayer anteayer anoche mañana ahora recientemente pronto luego ' +
    'lunes martes miércoles jueves viernes sábado domingo ' +
    'oggi ieri domani adesso ora stasera stamattina lunedì martedì mercoledì giovedì venerdì sabato domenica ' +
    'hoje ontem amanhã agora segunda-feira terça-feira quarta-feira quinta-feira sexta-feira ' +
    'اليوم أمس غدا غداً الآن الليلة',
)

/** With a span of time these words refer to a near one: "last week", "la semaine prochaine". */
const POINTING = words(
  'this last next past coming diese dieser diesen dieses diesem letzte letzten letzter letztes letztem nächste nächsten nächster ' +
    'nächstes nächstem vorige vorigen kommende kommenden ce cet cette dernier dernière prochain prochaine este esta pasado pasada ' +
    'próximo próxima questo questa scorso scorsa prossimo prossima هذا هذه الماضي الماضية القادم القادمة المقبل',
)

const SPANS = words(
  'morning noon afternoon evening night day weekend week month quarter year spring summer autumn fall winter time hour ' +
    'januar februar märz april mai juni juli august september oktober november dezember ' +
    'january february march may june july october december ' +
    'nacht abend tag tage wochenende woche wochen monat quartal jahr frühling sommer herbst mal stunde ' +
    'matin midi soir nuit jour semaine mois année an printemps été automne hiver fois heure ' +
    'noche tarde día semana mes año primavera verano otoño invierno vez hora fin ' +
    'mattina sera notte giorno settimana mese anno estate autunno inverno volta ' +
    'الأسبوع الشهر السنة العام الصباح المساء',
)

/** Japanese and Chinese need a pattern of their own, because they write no spaces. */
const WITHOUT_SPACES =
  /今日|昨日|一昨日|明日|明後日|今朝|今夜|今晩|昨夜|今週|先週|来週|今月|先月|来月|今年|去年|昨年|来年|さっき|最近|もうすぐ|[月火水木金土日]曜|今天|昨天|前天|明天|后天|现在|現在|刚才|剛才|今晚|[这這上下]个?[周週月]|[周週]末|星期|禮拜|礼拜/u
