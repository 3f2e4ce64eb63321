import * as pictures from 'lucide-preact'

/** Pictures by the names that pages give in their `icon`; a page of a plugin with another name has a piece of a puzzle. */
const ICONS = {
  alert: pictures.TriangleAlert,
  archive: pictures.Archive,
  arrow: pictures.ArrowRight,
  bell: pictures.Bell,
  book: pictures.BookOpen,
  bot: pictures.Bot,
  chat: pictures.MessageSquareText,
  check: pictures.Check,
  clock: pictures.Clock,
  close: pictures.X,
  code: pictures.CodeXml,
  columns: pictures.Columns3,
  copy: pictures.Copy,
  database: pictures.Database,
  delete: pictures.Trash2,
  file: pictures.FileText,
  filter: pictures.Funnel,
  fit: pictures.Maximize,
  gauge: pictures.Gauge,
  gear: pictures.Settings,
  globe: pictures.Globe,
  image: pictures.Image,
  key: pictures.KeyRound,
  leave: pictures.LogOut,
  list: pictures.ListChecks,
  mail: pictures.Mail,
  menu: pictures.Menu,
  minus: pictures.Minus,
  monitor: pictures.Monitor,
  moon: pictures.Moon,
  more: pictures.Ellipsis,
  notes: pictures.NotebookText,
  people: pictures.Users,
  pause: pictures.Pause,
  person: pictures.User,
  play: pictures.Play,
  plug: pictures.Plug,
  plus: pictures.Plus,
  puzzle: pictures.Puzzle,
  quality: pictures.ScanSearch,
  search: pictures.Search,
  share: pictures.Waypoints,
  shield: pictures.Shield,
  link: pictures.Share2,
  sun: pictures.Sun,
  switch: pictures.ChevronsUpDown,
  tag: pictures.Tag,
  terminal: pictures.Terminal,
}

/** A picture beside a word, or the only thing of a button with a name. */
export function Icon({ name, size = 16 }: { readonly name: string; readonly size?: number }) {
  const Picture = ICONS[isKnown(name) ? name : 'puzzle']
  return <Picture size={size} aria-hidden="true" class="icon" />
}

const isKnown = (name: string): name is keyof typeof ICONS => Object.hasOwn(ICONS, name)
