import { type Tx, textArray } from 'mneme/plugin'

/** Texts that begin like one by a speaker: one or two may as well begin with a heading ("Rent: …"). */
const TEXTS_MIN = 3

/** A speaker for each of `names` that is the name of one, or its first word: what follows it is a space or nothing. */
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
