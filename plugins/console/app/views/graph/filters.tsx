import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { useAddress } from '../../address.tsx'
import { Check } from '../../forms.tsx'
import { Button, told } from '../../parts.tsx'
import type { Scene, Shown } from './model.ts'
import { type Sight, toggled } from './time.tsx'
import { Mark, TYPES, wordsOf } from './words.tsx'

type FiltersProps = { scene: Scene; shown: Shown; sight: Sight; hasUsers: boolean }

/** What of the graph is shown. The types are its legend too. */
export function FilterBar({ scene, shown, sight, hasUsers }: FiltersProps) {
  const { filters, isTogether, set } = sight
  const { query } = useAddress()
  const isFiltered = ['types', 'relations', 'weight', 'former', 'as_of'].some(name => query[name])
  return (
    <section class="graph-filters" aria-label="Filters">
      <Types scene={scene} shown={shown} sight={sight} />
      <Relations scene={scene} sight={sight} />
      <label class="graph-weight">
        <span>
          Strength <output>{filters.weightMin === 0 ? 'any' : `from ${Math.round(filters.weightMin * 100)} %`}</output>
        </span>
        <input
          type="range"
          min={0}
          max={0.95}
          step={0.05}
          value={filters.weightMin}
          onChange={event => set({ weight: Number(event.currentTarget.value) || '' })}
        />
      </label>
      <Check
        label="Former relationships"
        checked={filters.hasFormer}
        onTicked={isTicked => set({ former: isTicked ? '' : 'no' })}
      />
      {hasUsers && (
        <Check
          label="Same names together"
          checked={isTogether}
          onTicked={isTicked => set({ together: isTicked ? 'yes' : '', entity: '', relationship: '' })}
        />
      )}
      {isFiltered && (
        <Button
          kind="link"
          onClick={() => set({ types: '', relations: '', weight: '', former: '', as_of: '' })}
          label="Clear the filters"
        />
      )}
    </section>
  )
}

type PartProps = Pick<FiltersProps, 'scene' | 'sight'>

function Types({ scene, shown, sight: { filters, set } }: PartProps & Pick<FiltersProps, 'shown'>) {
  const counts = new Map<string, number>()
  for (const id of shown.nodes) {
    const type = scene.nodes.get(id)?.type ?? ''
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return (
    <fieldset>
      <legend>Types</legend>
      {TYPES.map(({ value, many }) => (
        <Toggle
          key={value}
          isOn={!filters.hiddenTypes.has(value)}
          onToggle={() => set({ types: toggled(filters.hiddenTypes, value) })}
          mark={<Mark type={value} />}
          name={many}
          count={counts.get(value) ?? 0}
        />
      ))}
    </fieldset>
  )
}

function Relations({ scene, sight: { filters, set } }: PartProps) {
  const counts = useMemo(() => {
    const found = new Map<string, number>()
    for (const { type } of scene.edges.values()) found.set(type, (found.get(type) ?? 0) + 1)
    return [...found].toSorted((a, b) => b[1] - a[1])
  }, [scene])
  if (counts.length === 0) return null
  return (
    <details class="graph-relations" open={filters.relations.size > 0}>
      <summary>
        {filters.relations.size === 0 ? 'All relationships' : `${filters.relations.size} kinds of relationship`}
      </summary>
      <div>
        {counts.map(([type, count]) => (
          <Toggle
            key={type}
            isOn={filters.relations.has(type)}
            onToggle={() => set({ relations: toggled(filters.relations, type) })}
            name={wordsOf(type)}
            count={count}
          />
        ))}
      </div>
    </details>
  )
}

type ToggleProps = { isOn: boolean; onToggle: () => void; mark?: ComponentChildren; name: string; count: number }

const Toggle = ({ isOn, onToggle, mark, name, count }: ToggleProps) => (
  <label class="graph-toggle">
    <input type="checkbox" checked={isOn} onChange={onToggle} />
    {mark}
    <span>{name}</span>
    <span class="quiet number">{told(count)}</span>
  </label>
)
