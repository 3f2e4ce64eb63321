import { describe, expect, test } from 'bun:test'
import { chunksOfDocument, faultOf, textOf } from '../fixtures.test-support.ts'

describe('CSV', () => {
  test('with a row of more characters than one may have is refused for that', async () => {
    expect(await faultOf('CSV', `${'column,'.repeat(200_000)}\n1,2`)).toBe('LIMIT_EXCEEDED')
  })

  test('is read by its own delimiter, with and without names of columns', async () => {
    expect(await textOf('CSV', 'name;note\n"Ada; L.";"says ""hi"""\n')).toBe('name: Ada; L.; note: says "hi"')
    expect(await textOf('CSV', '1,2\n3,4\n')).toBe('Column 1: 1; Column 2: 2\nColumn 1: 3; Column 2: 4')
    expect(await textOf('CSV', 'a\tb\n1\t2\t3\n')).toBe('a: 1; b: 2; Column 3: 3')
    expect(await textOf('CSV', 'name,note\n"never closed,1\nAda,2\n')).toContain('name: Ada; note: 2')
    const broken = await textOf('CSV', 'näme,city\n"Ada ""A""","New\nYork"\nBob,"never closed\nEve,Rome\n')
    expect(broken).toBe('näme: Ada "A"; city: New\nYork\nnäme: Bob; city: "never closed\nnäme: Eve; city: Rome')
    expect(await textOf('CSV', 'sep=;\r\nname;note\r\nAda;1,5\r\n')).toBe('name: Ada; note: 1,5')
    expect(await textOf('CSV', 'name,note\n,\n,\n')).toBe('name, note')
  })
})

describe('the names of columns', () => {
  const csv = (...rows: string[]) => textOf('CSV', rows.join('\n'))

  test('are known by what stands below them', async () => {
    expect(await csv('No.,Name,Price', '7,Ada,12', '8,Bob,3.50')).toBe(
      'No.: 7; Name: Ada; Price: 12\nNo.: 8; Name: Bob; Price: 3.50',
    )
    expect(await csv('Country,2019,2020', 'Chad,15.9,16.4')).toBe('Country: Chad; 2019: 15.9; 2020: 16.4')
    expect(await csv('Task,Done?', 'Call Bob,yes', 'Write,no')).toBe(
      'Task: Call Bob; Done?: yes\nTask: Write; Done?: no',
    )
    const form = await csv(
      'Timestamp,How did you hear of us?',
      '2024-05-01 10:00:00,From Ada',
      '2024-05-02 11:30:00,Radio',
    )
    expect(form).toStartWith('Timestamp: 2024-05-01 10:00:00; How did you hear of us?: From Ada')
    const survey = await csv(
      'Timestamp,What did you like best?,What was missing?',
      '2024-05-01 10:00:00,I liked the talks.,There was no tea.',
      '2024-05-02 11:30:00,Everything was good.,Nothing was missing.',
    )
    expect(survey).toStartWith('Timestamp: 2024-05-01 10:00:00; What did you like best?: I liked the talks.')
    expect(await csv('Month,1,2,3', 'Sales,100,200,90', 'Costs,5,7,9')).toStartWith('Month: Sales; 1: 100; 2: 200')
    expect(await csv('Country,2019,2020', 'Chad,15,16', 'Mali,1900,21', 'Togo,8,8', 'Peru,33,34')).toContain(
      'Country: Mali; 2019: 1900; 2020: 21',
    )
    expect(await csv('Phone,Phone,Name', '1 23,4 56,Ada')).toBe('Phone: 1 23; Phone (2): 4 56; Name: Ada')
  })

  test('are not made of values', async () => {
    expect(await csv('Ada,Rome,36', 'Bob,Oslo,41')).toBe(
      'Column 1: Ada; Column 2: Rome; Column 3: 36\nColumn 1: Bob; Column 2: Oslo; Column 3: 41',
    )
    expect(await csv('red,yes', 'blue,no', 'red,yes', 'green,no', 'blue,yes', 'red,no')).toStartWith(
      'Column 1: red; Column 2: yes',
    )
    expect(await textOf('HTML', '<table><tr><th>Capital<td>Berlin<tr><th>Area<td>891</table>')).toBe(
      'Capital: Berlin\nArea: 891',
    )
    expect(await csv('What is it?,It is a bee.', 'Who made it?,Ada made it.')).toStartWith('Column 1: What is it?')
  })

  test('may stand below what a report says of itself', async () => {
    const table = ['Date,Payee,Amount,Note', '2026-03-01,Bakery,4.20,', '2026-03-02,Rail,31.00,Ghent']
    const rows =
      'Date: 2026-03-01; Payee: Bakery; Amount: 4.20\nDate: 2026-03-02; Payee: Rail; Amount: 31.00; Note: Ghent'
    expect(await csv('Statement of March,,,', 'Account,BE71,,', ',,,', ...table)).toBe(
      `Statement of March\n\nAccount, BE71\n${rows}`,
    )
    expect(await csv('Statement of March', '', ...table)).toBe(`Statement of March\n${rows}`)
    expect(await csv('Name,', 'Ada,5', 'Bob,6')).toBe('Name: Ada; Column 2: 5\nName: Bob; Column 2: 6')
  })

  test('leave each row its number in the file', async () => {
    const chunks = await chunksOfDocument('CSV', `name,note\nAda,${'a'.repeat(300)}\n,\nBob,${'b'.repeat(300)}\n`)
    expect(chunks.map(({ row }) => row)).toEqual([1, 3])
  })

  test('begin anew where another table with names stands below rows without values', async () => {
    expect(await csv('Name;Alter', 'Ida;31', 'Ole;44', '', 'Stadt;Land;PLZ', 'Bergen;NO;05003')).toBe(
      'Name: Ida; Alter: 31\nName: Ole; Alter: 44\nStadt: Bergen; Land: NO; PLZ: 05003',
    )
    expect(await csv('Name;Alter', 'Ida;31', ';', 'Ole;44', 'Per;50')).toBe(
      'Name: Ida; Alter: 31\nName: Ole; Alter: 44\nName: Per; Alter: 50',
    )
    expect(await csv('Name;Town', 'Ida;Oslo', '', 'Ole;Rome', 'Per;Bonn')).toEndWith(
      'Name: Ole; Town: Rome\nName: Per; Town: Bonn',
    )
  })
})

describe('a table whose first row no mark tells to be a head', () => {
  const row = (cells: readonly string[]) => `<tr>${cells.map(cell => `<td>${cell}</td>`).join('')}</tr>`
  const html = (...rows: string[]) =>
    textOf('HTML', `<table>${rows.map(line => row(line.split('|'))).join('')}</table>`)

  test('is read as names and their values where it has two columns', async () => {
    expect(await html('Tenant|Aylin Demir', 'Rent|940 EUR', 'Deposit|2820 EUR')).toBe(
      'Tenant: Aylin Demir\nRent: 940 EUR\nDeposit: 2820 EUR',
    )
    expect(await html('Surname:|Okello', 'Blood group:|A-', 'Born:|1990-02-03', 'Notes:|')).toBe(
      'Surname: Okello\nBlood group: A-\nBorn: 1990-02-03\nNotes:',
    )
    expect(await textOf('MARKDOWN', '| | |\n|---|---|\n| Surname | Obi |')).toBe('Surname: Obi')
  })

  test('has no names where it is a form or a rota of more columns', async () => {
    expect(await html('Name|Aylin Demir|City|Kiel', 'Rent|940 EUR|Deposit|2820 EUR')).toBe(
      'Name; Aylin Demir; City; Kiel\nRent; 940 EUR; Deposit; 2820 EUR',
    )
    expect(await html('Mon|Anna|Ben', 'Tue|Cem|Dora', 'Wed|Emil|Fay')).toBe(
      'Mon; Anna; Ben\nTue; Cem; Dora\nWed; Emil; Fay',
    )
    expect(await html('Apple|1.20|kg', 'Pear|2.10|kg')).toBe('Apple; 1.20; kg\nPear; 2.10; kg')
  })

  test('has names where the values below are of another kind, come again, or the first row is set in bold', async () => {
    expect(await html('Model|Power|Price', 'P10|2 kW|310', 'P20||540')).toBe(
      'Model: P10; Power: 2 kW; Price: 310\nModel: P20; Price: 540',
    )
    expect(
      await html('Name|Role|Town', 'Ada|cook|Rome', 'Bob|cook|Oslo', 'Eve|guide|Rome', 'Kim|guide|Bonn'),
    ).toStartWith('Name: Ada; Role: cook; Town: Rome\n')
    expect(await html('Day|Event', '2026-01-01|Concert', '2026-02-01|Fair')).toStartWith(
      'Day: 2026-01-01; Event: Concert',
    )
    expect(await html('<b>Name</b>|<b>Town</b>', 'Ada|Rome', 'Bob|Oslo')).toBe(
      'Name: Ada; Town: Rome\nName: Bob; Town: Oslo',
    )
  })
})
