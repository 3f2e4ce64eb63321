import { type Tx, textArray } from 'mneme/plugin'

/** One or two texts with the same beginning may share a heading ("Rent: …") and not a speaker. */
const TEXTS_MIN = 3

/** Finds a speaker for each of `names` whose name equals it or begins with it as a whole word. */
export async function speakersCalled(tx: Tx, workspaceId: string, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const rows = await tx<{ speaker: string }[]>`
    select called.speaker
    from unnest(${textArray(names)}::text[]) as given (name)
    cross join lateral (
      select own_speaker.speaker
      from search.own_speaker
      where own_speaker.workspace_id = ${workspaceId}
        and own_speaker.speaker >= given.name
        and own_speaker.speaker < given.name || '!'
      order by own_speaker.speaker
      offset ${TEXTS_MIN - 1}
      limit 1
    ) as called`
  return rows.map(({ speaker }) => speaker)
}
