import type { ComponentChildren } from 'preact'

interface Bar {
  readonly key: string
  readonly name: ComponentChildren
  /** The length from 0 to 1; one below 0 is drawn as a loss. */
  readonly share: number
  readonly text: string
}

/** Lists names with bars of different lengths. */
export const Bars = ({ label, rows }: { readonly label: string; readonly rows: readonly Bar[] }) => (
  <ul class="bars" aria-label={label}>
    {rows.map(({ key, name, share, text }) => (
      <li key={key}>
        <div class="bars-row">
          <span>{name}</span>
          <span class="number">{text}</span>
        </div>
        <svg class={share < 0 ? 'bar loss' : 'bar'} width="100%" height="6" aria-hidden="true">
          <rect width="100%" height="6" rx="3" fill="currentColor" opacity="0.12" />
          <rect width={`${Math.min(100, Math.abs(share) * 100)}%`} height="6" rx="3" fill="currentColor" />
        </svg>
      </li>
    ))}
  </ul>
)
