import type { Fragment, Tx } from 'mneme/plugin'

/**
 * Selects the mentions that tell a name: most of a user's memories give nothing but the user's id, which those with a name give too. The two
 * parts have an index each.
 * @param whose a condition on `mention.entity_id`
 */
export function namingMentions(tx: Tx, workspaceId: string, whose: Fragment): Fragment {
  return tx`
    select mention.*
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and ${whose}
      and not mention.is_user
    union all
    select mention.*
    from graph.mention
    where mention.workspace_id = ${workspaceId}
      and ${whose}
      and mention.is_user
      and cardinality(mention.names) > 1`
}
