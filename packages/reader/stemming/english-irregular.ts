/**
 * Returns the base form of an irregular English inflection ("went" gives "go", "children" gives "child"), or undefined. Forms that are also
 * common words ("saw", "left", "found", "lay", "leaves", "felt", "bound") are omitted where the confusion would hide more than it finds.
 */
export function baseForm(word: string): string | undefined {
  return BASE_FORMS.get(word)
}

/** Each line has the base form of a verb or noun, then its irregular forms. */
const IRREGULAR = `
arise arose arisen
awake awoke awoken
bear bore borne
beat beaten
become became
begin began begun
bend bent
bind bound
bite bit bitten
blow blew blown
break broke broken
breed bred
bring brought
build built
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
creep crept
deal dealt
dig dug
do does did done
draw drew drawn
dream dreamt
drink drank drunk
drive drove driven
eat ate eaten
fall fell fallen
feed fed
feel felt
fight fought
find found
flee fled
fly flew flown
forbid forbade forbidden
forget forgot forgotten
forgive forgave forgiven
freeze froze frozen
get got gotten
give gave given
go goes went gone
grow grew grown
hang hung
have has had
hear heard
hide hid hidden
hold held
keep kept
kneel knelt
know knew known
lead led
learn learnt
leave left
lend lent
light lit
lose lost
make made
mean meant
meet met
mistake mistook mistaken
pay paid
ride rode ridden
ring rang rung
rise rose risen
run ran
say said
see saw seen
seek sought
sell sold
send sent
shake shook shaken
shine shone
shoot shot
show shown
shrink shrank shrunk
sing sang sung
sink sank sunk
sit sat
sleep slept
slide slid
speak spoke spoken
spend spent
spill spilt
spin spun
stand stood
steal stole stolen
stick stuck
sting stung
strike struck
swear swore sworn
sweep swept
swim swam swum
swing swung
take took taken
teach taught
tear tore torn
tell told
think thought
throw threw thrown
understand understood
undertake undertook undertaken
wake woke woken
wear wore worn
weave wove woven
weep wept
win won
withdraw withdrew withdrawn
write wrote written
rewrite rewrote rewritten
overcome overcame
be am is are was were been
child children
man men
woman women
person people
foot feet
tooth teeth
goose geese
mouse mice
ox oxen
wife wives
knife knives
wolf wolves
shelf shelves
half halves
loaf loaves
thief thieves
calf calves
self selves
analysis analyses
basis bases
crisis crises
thesis theses
diagnosis diagnoses
hypothesis hypotheses
criterion criteria
phenomenon phenomena
index indices
matrix matrices
vertex vertices
bus buses
gas gases
good better best
bad worse worst
`

const BASE_FORMS = new Map(
  IRREGULAR.trim()
    .split('\n')
    .flatMap(line => {
      const [base = '', ...forms] = line.split(' ')
      return forms.map(form => [form, base] as const)
    }),
)
