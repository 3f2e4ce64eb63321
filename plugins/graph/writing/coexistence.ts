import { plainArray, type Tx } from 'mneme/plugin'
import { fold } from 'text-reader/facts'
import type { EntityType } from '../contract.ts'
import type { Evidence } from './evidence.ts'
import { type Coexist, ONE_AT_A_TIME } from './fold-evidence.ts'

interface NamedRow {
  id: string
  type: EntityType
  normal_name: string
  kind: string | null
  country: string | null
}

/**
 * Two ends may both be right where one is in the other, by what memories say or by what is known of cities, and where they may well
 * be the same: "Priya" and "Priya Raman", "Seville" and "Sevilla".
 */
export async function coexistence(tx: Tx, workspaceId: string, evidence: readonly Evidence[]): Promise<Coexist> {
  const ends = rivalsIn(evidence)
  if (ends.length === 0) return () => false
  const ids = plainArray(ends)
  const [inside, named] = await Promise.all([
    tx<{ source_id: string; target_id: string }[]>`
      select distinct evidence.source_id, evidence.target_id
      from graph.evidence
      where evidence.workspace_id = ${workspaceId}
        and evidence.type in ('LOCATED_IN', 'PART_OF')
        and not evidence.closes
        and evidence.source_id = any(${ids}::uuid[])
        and evidence.target_id = any(${ids}::uuid[])`,
    tx<NamedRow[]>`
      select
        entity.id, entity.type, entity.normal_name, entity.metadata ->> 'kind' as kind,
        entity.metadata ->> 'country' as country
      from graph.entity
      where entity.workspace_id = ${workspaceId}
        and entity.id = any(${ids}::uuid[])`,
  ])
  const within = new Set(inside.map(row => `${row.source_id} ${row.target_id}`))
  const known = new Map(named.map(row => [row.id, row]))
  return (type, one, other) => {
    if (within.has(`${one} ${other}`) || within.has(`${other} ${one}`)) return true
    const [first, second] = [known.get(one), known.get(other)]
    if (!first || !second) return false
    const [mayBeSame, isPlace] = [isShorter(first, second) || isShorter(second, first), first.type === 'PLACE']
    // Among what one owns a brand is short for a thing of it.
    if (type === 'OWNS') return mayBeSame
    return first.type === second.type && (isPlace ? placesAgree(first, second) : mayBeSame)
  }
}

/** Ends of which a source has several, where one may end another. */
function rivalsIn(evidence: readonly Evidence[]): string[] {
  const single = evidence.filter(({ type }) => ONE_AT_A_TIME.has(type) || type === 'OWNS')
  const bySource = Map.groupBy(single, ({ type, sourceId }) => `${type} ${sourceId}`)
  const targets = [...bySource.values()].flatMap(list => {
    const own = new Set(list.map(({ targetId }) => targetId))
    return own.size > 1 ? [...own] : []
  })
  const married = evidence.filter(({ type }) => type === 'MARRIED_TO')
  const couples = new Set(married.map(({ sourceId, targetId }) => `${sourceId} ${targetId}`))
  const spouses = couples.size > 1 ? married.flatMap(({ sourceId, targetId }) => [sourceId, targetId]) : []
  return [...new Set([...targets, ...spouses])]
}

function placesAgree(one: NamedRow, other: NamedRow): boolean {
  if (isSameCity(one.normal_name, other.normal_name)) return true
  return one.country !== null && one.country === other.country && one.kind !== other.kind
}

/** "priya" of "priya raman", "virgen del rocío" of "hospital virgen del rocío": the same, as far as anybody can tell. */
function isShorter({ normal_name: short }: NamedRow, { normal_name: long }: NamedRow): boolean {
  return long.startsWith(`${short} `) || long.endsWith(` ${short}`)
}

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
function isSameCity(one: string, other: string): boolean {
  const group = GROUPS.get(fold(one.replaceAll('-', ' ')))
  return group !== undefined && group === GROUPS.get(fold(other.replaceAll('-', ' ')))
}
