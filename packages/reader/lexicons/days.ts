/** Words by which a statement hangs on the day it is made, as "We meet tomorrow" does. */

/** These words name a day or a time of day. */
export const DAYS: Readonly<Record<string, readonly string[]>> = {
  en: `today tonight yesterday tomorrow now ago recently lately soon earlier later just yet already still currently nowadays
    monday tuesday wednesday thursday friday saturday sunday`.split(/\s+/),
  de: `heute gestern vorgestern morgen übermorgen jetzt gerade neulich kürzlich bald gleich vorhin später früher
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag`.split(/\s+/),
  fr: `aujourd'hui hier avant-hier demain après-demain maintenant récemment bientôt tantôt
    lundi mardi mercredi jeudi vendredi samedi dimanche`.split(/\s+/),
  es: `hoy ayer anteayer anoche mañana ahora recientemente pronto luego
    lunes martes miércoles jueves viernes sábado domingo`.split(/\s+/),
  it: 'oggi ieri domani adesso ora stasera stamattina lunedì martedì mercoledì giovedì venerdì sabato domenica'.split(
    ' ',
  ),
  pt: 'hoje ontem amanhã agora segunda-feira terça-feira quarta-feira quinta-feira sexta-feira'.split(' '),
  ar: 'اليوم أمس غدا غداً الآن الليلة'.split(' '),
}

/** With a span of time these words refer to a near one: "last week", "la semaine prochaine". */
export const POINTING_WORDS: Readonly<Record<string, readonly string[]>> = {
  en: 'this last next past coming'.split(' '),
  de: `diese dieser diesen dieses diesem letzte letzten letzter letztes letztem nächste nächsten nächster nächstes nächstem
    vorige vorigen kommende kommenden`.split(/\s+/),
  fr: 'ce cet cette dernier dernière prochain prochaine'.split(' '),
  es: 'este esta pasado pasada próximo próxima'.split(' '),
  it: 'questo questa scorso scorsa prossimo prossima'.split(' '),
  ar: 'هذا هذه الماضي الماضية القادم القادمة المقبل'.split(' '),
}

/** Times of day, days, and longer spans of time, months by name among them. */
export const TIME_SPANS: Readonly<Record<string, readonly string[]>> = {
  en: `morning noon afternoon evening night day weekend week month quarter year spring summer autumn fall winter time hour
    january february march may june july october december`.split(/\s+/),
  de: `nacht abend tag tage wochenende woche wochen monat quartal jahr frühling sommer herbst mal stunde
    januar februar märz april mai juni juli august september oktober november dezember`.split(/\s+/),
  fr: 'matin midi soir nuit jour semaine mois année an printemps été automne hiver fois heure'.split(' '),
  es: 'noche tarde día semana mes año primavera verano otoño invierno vez hora fin'.split(' '),
  it: 'mattina sera notte giorno settimana mese anno estate autunno inverno volta'.split(' '),
  ar: 'الأسبوع الشهر السنة العام الصباح المساء'.split(' '),
}

/** Matches days and spans near to one in Japanese and Chinese, which write no spaces. */
export const UNSPACED_DAYS =
  /今日|昨日|一昨日|明日|明後日|今朝|今夜|今晩|昨夜|今週|先週|来週|今月|先月|来月|今年|去年|昨年|来年|さっき|最近|もうすぐ|[月火水木金土日]曜|今天|昨天|前天|明天|后天|现在|現在|刚才|剛才|今晚|[这這上下]个?[周週月]|[周週]末|星期|禮拜|礼拜/u
