/**
 * Opens the embedded database in the folder given, on whichever runtime runs this, and does a little of everything
 * that could differ between them: two clients, a transaction, a vector, a notification, a second start.
 */
import postgres from 'postgres'
import { FolderInUseError, startEmbedded } from 'served-pglite'

const [folder = ''] = process.argv.slice(2)

const first = await startEmbedded({ folder })
const refused = await startEmbedded({ folder }).then(
  () => false,
  error => error instanceof FolderInUseError,
)
const sql = postgres(first.url, { max: 4, onnotice: () => {} })
await sql.unsafe('create extension vector; create table point (id int primary key, e vector(3))')
await Promise.all(
  Array.from({ length: 20 }, (_, i) => sql.begin(tx => tx`insert into point values (${i}, ${`[${i},1,0]`})`)),
)
const heard = Promise.withResolvers<string>()
await sql.listen('news', heard.resolve)
await sql.notify('news', 'acknowledge')
const notification = await heard.promise
await sql.end()
await first.stop()

const second = await startEmbedded({ folder })
const again = postgres(second.url, { max: 1, onnotice: () => {} })
const [nearest] = await again`select id from point order by e <-> '[7,1,0]' limit 1`
const [settings] = await again`select current_setting('fsync') as fsync, (select count(*)::int from point) as rows`
await again.end()
await second.stop()

console.log(JSON.stringify({ refused, notification, nearest: nearest?.id, ...settings }))
