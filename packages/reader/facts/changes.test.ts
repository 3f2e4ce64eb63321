import { describe, expect, test } from 'bun:test'
import { factsOf, factsOfText } from './reading.test-support.ts'

/** Facts as `factsOf` writes them, then endings as `~source TYPE target`, `*` where nothing is named. */
function read(text: string): string[] {
  const extraction = factsOfText(text)
  const nameOf = (index: number | null) => {
    const entity = index === null ? undefined : extraction.entities[index]
    return entity === undefined ? '*' : entity.isUser ? '@user' : entity.name
  }
  const endings = extraction.endings.map(({ source, type, target }) => `~${nameOf(source)} ${type} ${nameOf(target)}`)
  return [...factsOf(extraction), ...endings].sort()
}

type Case = readonly [text: string, facts: readonly string[]]

function reads(what: string, cases: readonly Case[]): void {
  test.each(cases.map(([text, facts]) => ({ text, facts })))(`${what}: $text`, ({ text, facts }) => {
    expect(read(text)).toEqual([...facts].sort())
  })
}

describe('one for another', () => {
  reads('a change told by a noun', [
    ['My move from Oslo to Vienna is done.', ['@user LIVES_IN Vienna']],
    ['We made the move to Cologne last weekend.', ['@user LIVES_IN Cologne']],
    ['Rosa made the jump from Siemens to Bosch.', ['Rosa WORKS_AT Bosch']],
    ['I made the switch from Vim to Zed.', ['@user -USES_TECHNOLOGY Vim', '@user USES_TECHNOLOGY Zed']],
  ])
  reads('a home, a team and a tool', [
    ['I traded my flat in Oslo for a house in Vienna.', ['@user LIVES_IN Vienna']],
    ['Rosa moved house, from Oslo to Vienna.', ['Rosa LIVES_IN Vienna']],
    ["Rosa's team is led by Hugo Brandt now.", ['Rosa REPORTS_TO Hugo Brandt']],
    ['Vim was too slow, so I switched to Zed.', ['@user USES_TECHNOLOGY Zed', '~@user USES_TECHNOLOGY Vim']],
    ['I stopped using Vim in favor of Zed.', ['@user -USES_TECHNOLOGY Vim', '@user USES_TECHNOLOGY Zed']],
  ])
  reads('what takes the place of what is over, without a verb', [
    ["I no longer live in Oslo; it's Vienna now.", ['@user -LIVES_IN Oslo', '@user LIVES_IN Vienna']],
    [
      'Rosa no longer answers to Hugo Brandt but to Priya Desai.',
      ['Rosa -REPORTS_TO Hugo Brandt', 'Rosa REPORTS_TO Priya Desai'],
    ],
  ])
  reads('what stands beside it is not taken for it', [
    ['I no longer live in Vienna, but Rosa does.', ['@user -LIVES_IN Vienna']],
    ['I left Siemens, but Rosa is still there.', ['@user -WORKS_AT Siemens']],
    ['I quit Siemens and Bosch is hiring.', ['@user -WORKS_AT Siemens', '~@user LIKES Siemens']],
  ])
  reads('journeys, plans and things that move are no homes', [
    ['I went from Oslo to Vienna for the weekend.', []],
    ['My move to Vienna is planned for May.', []],
    ['I nearly moved to Vienna.', []],
    ['We moved the meeting to Vienna.', []],
    ['My flight from Oslo to Vienna is over.', []],
  ])
})

describe('what is over', () => {
  reads('a job', [
    ["My contract at Siemens wasn't renewed.", ['@user -WORKS_AT Siemens']],
    ['My contract with Siemens ended.', ['~@user WORKS_AT Siemens']],
    ["I don't have a job anymore.", ['~@user WORKS_AT *']],
    ["Bosch doesn't employ Rosa anymore.", ['Rosa -WORKS_AT Bosch']],
    ['Siemens terminated my contract.', ['@user -WORKS_AT Siemens']],
    ['Bosch showed Rosa the door.', ['Rosa -WORKS_AT Bosch']],
    ['Yesterday was my last day at Bosch.', ['@user -WORKS_AT Bosch']],
    ['Siemens and I parted ways.', ['~@user WORKS_AT Siemens']],
    ['I quit.', ['~@user WORKS_AT *']],
    ['Rosa switched careers.', ['~Rosa WORKS_AT *']],
  ])
  reads('a marriage', [
    ['Tomas and I ended our marriage.', ['@user -MARRIED_TO Tomas']],
    ["It's over between Tomas and me.", ['~@user MARRIED_TO Tomas']],
    ["Rosa's marriage ended.", ['~Rosa MARRIED_TO *']],
  ])
  reads('a liking, where what was liked comes first', [
    ['Sushi bores me now.', ['~@user LIKES Sushi']],
    ['Running no longer interests Rosa.', ['~Rosa LIKES Running']],
    ['My passion for chess is gone.', ['~@user LIKES chess']],
  ])
  reads('and what is not', [
    ["I'm not single.", []],
    ['Ben and I split the bill.', []],
    ['We retired the old server.', []],
    ['I received a package from Siemens.', []],
    ['My position at Siemens is up for review.', []],
    ['My job at Siemens is not over.', []],
    ['This song makes me happy.', []],
  ])
})

describe('in other languages', () => {
  reads('changes and ends', [
    ['Brightpath hat mich entlassen.', ['@user -WORKS_AT Brightpath']],
    ['Ich wohne nicht mehr in Oslo, sondern in Wien.', ['@user -LIVES_IN Oslo', '@user LIVES_IN Wien']],
    ['Nos hemos mudado a Lima.', ['@user LIVES_IN Lima']],
    ['Perdí mi trabajo en Siemens.', ['@user -WORKS_AT Siemens']],
    ['Cambié Vim por Emacs.', ['@user -USES_TECHNOLOGY Vim', '@user USES_TECHNOLOGY Emacs']],
    ["Siemens m'a licencié.", ['@user -WORKS_AT Siemens']],
  ])
})

test('short English sentences with a word that is Spanish too are read as English', () => {
  expect(read('Rosa no longer enjoys sushi.')).toEqual(['Rosa -LIKES sushi'])
})
