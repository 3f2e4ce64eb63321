import { fold } from '../extraction/local/fold.ts'

/** Cities that go by different names in English, German, Spanish, French, Italian, Portuguese, Dutch, and their own language. */
const CITIES = `
  seville sevilla séville siviglia, lisbon lissabon lisboa lisbonne lisbona, rome rom roma, milan mailand milano milán milão,
  turin turín torino, florence florenz florencia firenze florença, venice venedig venecia venise venezia veneza,
  naples neapel nápoles napoli, genoa genua génova gênes genova, padua padova padoue, bologna bolonia bologne,
  cologne köln colonia keulen, munich münchen múnich monaco-di-baviera munique, nuremberg nürnberg núremberg,
  hanover hannover, brunswick braunschweig, vienna wien viena vienne, geneva genf ginebra genève ginevra genebra,
  zurich zürich zúrich zurigo, basel basle basilea bâle, bern berne berna, lucerne luzern lucerna,
  brussels brüssel bruselas bruxelles brussel, antwerp antwerpen amberes anvers, ghent gent gante gand, bruges brugge brujas,
  the-hague hague den-haag la-haya la-haye, copenhagen kopenhagen copenhague københavn, gothenburg göteborg gotemburgo,
  stockholm estocolmo stoccolma, helsinki helsingfors, warsaw warschau varsovia varsovie warszawa varsavia,
  krakow cracow krakau cracovia kraków, wroclaw breslau wrocław, gdansk danzig gdańsk, prague prag praga praha,
  bratislava pressburg, budapest budapeste, bucharest bukarest bucarest bucurești, belgrade belgrad belgrado beograd,
  athens athen atenas athènes atene athina, thessaloniki saloniki salónica, istanbul estambul, moscow moskau moscú moscou moskva,
  saint-petersburg st-petersburg sankt-petersburg san-petersburgo saint-pétersbourg, kyiv kiev kiew, lviv lemberg lwów,
  london londres londra, edinburgh edimburgo édimbourg, dublin dublín, paris parís parigi, marseille marseilles marsella marsiglia,
  lyon lyons, nice nizza niza, strasbourg straßburg estrasburgo, porto oporto, barcelona barcelone barcellona,
  zaragoza saragossa, cordoba córdoba cordoue, new-york new-york-city nueva-york nova-york nyc, philadelphia filadelfia,
  havana habana la-habana la-havane, mexico-city ciudad-de-méxico mexiko-stadt cdmx, cairo kairo el-cairo le-caire,
  algiers algier argel alger, tunis túnez, marrakesh marrakech, casablanca casa-blanca, cape-town kapstadt ciudad-del-cabo le-cap,
  jerusalem jerusalén jérusalem, damascus damaskus damasco damas, baghdad bagdad, tehran teheran teherán téhéran,
  mumbai bombay, kolkata calcutta, chennai madras, bengaluru bangalore, yangon rangoon, beijing peking pekín pékin,
  guangzhou canton, tokyo tokio tōkyō, osaka ōsaka, seoul seúl séoul, singapore singapur singapour,
  ho-chi-minh-city saigon, bangkok krung-thep`

const GROUPS: ReadonlyMap<string, number> = new Map(
  CITIES.split(',').flatMap((names, group) =>
    names
      .trim()
      .split(/\s+/)
      .map((name): [string, number] => [fold(name.replaceAll('-', ' ')), group]),
  ),
)

/** Tells whether two normal names are of one city in different languages. */
export function isSameCity(one: string, other: string): boolean {
  const group = GROUPS.get(fold(one.replaceAll('-', ' ')))
  return group !== undefined && group === GROUPS.get(fold(other.replaceAll('-', ' ')))
}
