import { describe, expect, test } from 'bun:test'
import { languageDetector } from './detection.ts'

const detector = await languageDetector()

const SENTENCES: readonly (readonly [language: string, text: string])[] = [
  ['en', 'I moved to Lisbon last spring and still look for a flat.'],
  ['de', 'Die Nachbarin nimmt Pakete an und gießt im Urlaub die Blumen.'],
  ['fr', 'Le médecin m’a conseillé de marcher une heure par jour.'],
  ['es', 'El lunes que viene tenemos que pagar el alquiler del piso.'],
  ['it', 'Domani mattina devo portare la macchina dal meccanico.'],
  ['pt', 'A reunião com o cliente foi adiada para a próxima semana.'],
  ['nl', 'Morgen moet ik de fiets naar de fietsenmaker brengen.'],
  ['sv', 'Jag måste ringa tandläkaren innan klockan fyra imorgon.'],
  ['ru', 'Завтра утром нужно отвезти машину в мастерскую.'],
  ['uk', 'Завтра вранці треба відвезти машину до майстерні.'],
  ['ar', 'يجب أن أتصل بالطبيب غدا قبل الساعة الرابعة'],
  ['tr', 'Yarın sabah arabayı tamirciye götürmem gerekiyor.'],
  ['hi', 'कल सुबह मुझे गाड़ी ठीक करवाने ले जानी है'],
]

describe('the language of a text', () => {
  test.each(SENTENCES)('knows a sentence in %s', (language, text) => {
    expect(detector.detect(text)).toBe(language)
  })

  test.each([
    ['Ciao!'],
    ['See ya, Nate!'],
    ['Bye Nate'],
    [''],
    ['Zürich'],
    ['src/queue/worker.ts TS2345 v4.1.12'],
    ['12 34 56'],
    ['🦊🦊🦊'],
    ['\ud800'],
    ['東京で寿司を食べるのが好きです'],
    ['W sobotę jadę z siostrą nad morze.'],
    ['Zítra ráno musím odvézt auto do servisu.'],
  ])('does not guess for %s', text => {
    expect(detector.detect(text)).toBeUndefined()
  })

  test('reads the start of a long text only', () => {
    const text = `${'Das ist ein deutscher Satz über das Wetter. '.repeat(30)}${'and then '.repeat(5_000)}`
    expect(detector.detect(text)).toBe('de')
  })
})

describe('the likeliest of some languages', () => {
  const among = ['en', 'de', 'es', 'fr', 'pl'] as const

  test.each([
    ['de', 'Meine Tochter heißt Ida.'],
    ['es', '¿Dónde vive mi hermana?'],
    ['es', '¿Dónde nací?'],
    ['de', 'Was ist Initech?'],
    ['fr', "Siemens m'a licencié."],
    ['fr', 'Où habite ma sœur ?'],
    ['en', 'Where does my sister live?'],
    ['pl', 'W sobotę jadę z siostrą nad morze.'],
    ['en', 'Mein Kollege Stefan works at SAP seit 2018'],
  ] as const)('is %s for %s', (language, text) => {
    expect(detector.likeliest(text, among)).toBe(language)
  })

  test.each([[''], ['🦊'], ['12:30'], ['Ada'], ['\ud800'], ['東京で寿司を食べるのが好きです']])(
    'is the first one for %s',
    text => {
      expect(detector.likeliest(text, among)).toBe('en')
      expect(detector.likeliest(text, ['fr', 'en'])).toBe('fr')
    },
  )
})
