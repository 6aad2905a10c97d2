import { Field, TextArea } from '@svc/web/account'
import { nameOf } from '../acts/member-entry.tsx'
import { dayOf } from '../acts/moment.ts'
import type { Member } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'
import { outsideOf, type PolicyInput, type wrongOf } from './policy-input.ts'
import { wayName } from './way-name.ts'

interface PolicyFieldsProps {
  input: PolicyInput
  set: (changes: Partial<PolicyInput>) => void
  wrong: ReturnType<typeof wrongOf>
}

interface SecondFactorProps extends PolicyFieldsProps {
  /** From when on it is asked already. */
  by: string | undefined
}

export function SecondFactor({ input, set, wrong, by }: SecondFactorProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-3">
      <label className="svc-choice svc-small">
        <input
          type="checkbox"
          checked={input.requireSecondFactor}
          onChange={(event) => set({ requireSecondFactor: event.target.checked })}
          className="svc-check"
        />
        <span className="svc-strong">{say('Ask for a second factor')}</span>
      </label>
      {input.requireSecondFactor && (
        <NumberField
          label={say('Days that members have to set it up')}
          value={input.secondFactorWindowDays}
          onChange={(secondFactorWindowDays) => set({ secondFactorWindowDays })}
          problem={wrong.secondFactorWindowDays ? say('Enter a number from 0 to 30.') : ''}
          hint={
            by === undefined
              ? say('For those who are members now. New members need it at once.')
              : say('It is asked from {day} on. Leave this empty to keep that day.', {
                  day: dayOf(say, by),
                })
          }
        />
      )}
    </div>
  )
}

interface WaysInProps extends Pick<PolicyFieldsProps, 'input' | 'set'> {
  /** Those that members may have. */
  ways: readonly string[]
  failure: string
}

export function WaysIn({ input, set, ways, failure }: WaysInProps) {
  const say = useOrganizationSay()
  const { waysIn } = input
  const choose = (way: string, isChosen: boolean) =>
    set({ waysIn: isChosen ? [...waysIn, way] : waysIn.filter((other) => other !== way) })
  return (
    <fieldset className="svc-shrink">
      <legend className="svc-strong svc-small">{say('Ways to sign in')}</legend>
      <p className="svc-note svc-small">{say('If you choose none, every way is allowed.')}</p>
      <div className="svc-boxes">
        {[...new Set([...ways, ...waysIn])].map((way) => (
          <label key={way} className="svc-choice svc-small">
            <input
              type="checkbox"
              checked={waysIn.includes(way)}
              onChange={(event) => choose(way, event.target.checked)}
              className="svc-check"
            />
            <span>{atTheStart(wayName(say, way))}</span>
          </label>
        ))}
      </div>
      {failure && (
        <p role="alert" className="svc-small svc-problem svc-break">
          {say('Further ways can’t be shown now. The code of the error is {code}.', {
            code: failure,
          })}
        </p>
      )}
    </fieldset>
  )
}

const atTheStart = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}`

export function Hours({ input, set, wrong }: PolicyFieldsProps) {
  const say = useOrganizationSay()
  const problem = (isWrong: boolean) => (isWrong ? say('Enter a number from 1 to 2,160.') : '')
  return (
    <div className="svc-form-columns svc-form-columns-wide">
      <NumberField
        label={say('Hours until members sign in again')}
        value={input.maxKeyAgeHours}
        onChange={(maxKeyAgeHours) => set({ maxKeyAgeHours })}
        problem={problem(wrong.maxKeyAgeHours)}
        hint={say('Counted from when the device signed in. Empty sets no limit.')}
      />
      <NumberField
        label={say('Hours that a device may be unused')}
        value={input.maxIdleHours}
        onChange={(maxIdleHours) => set({ maxIdleHours })}
        problem={problem(wrong.maxIdleHours)}
        hint={say('After that, members sign in again. Empty sets no limit.')}
      />
    </div>
  )
}

interface NumberFieldProps {
  label: string
  value: string
  onChange: (value: string) => void
  problem: string
  hint: string
}

function NumberField({ onChange, ...field }: NumberFieldProps) {
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={4}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

interface DomainsProps extends Pick<PolicyFieldsProps, 'input' | 'set'> {
  members: readonly Member[]
  /** There are more members than these. */
  hasMore: boolean
}

export function Domains({ input, set, members, hasMore }: DomainsProps) {
  const say = useOrganizationSay()
  return (
    <div className="svc-stack svc-stack-2">
      <TextArea
        label={say('Domains of email addresses')}
        rows={3}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={input.allowedDomains}
        onChange={(event) => set({ allowedDomains: event.target.value })}
        hint={say(
          'One on each line, such as acme.example. A subdomain is another domain. Empty allows every address.',
        )}
      />
      <Outside members={outsideOf(input, members)} of={members.length} hasMore={hasMore} />
    </div>
  )
}

const mostNamed = 10

/** Who would be shut out. */
function Outside({ members, of, hasMore }: { members: Member[]; of: number; hasMore: boolean }) {
  const say = useOrganizationSay()
  const names = members.slice(0, mostNamed).map(nameOf)
  const count = members.length - names.length
  const list = new Intl.ListFormat(say.locale, { type: 'unit' }).format(names)
  return (
    <p role="status" className="svc-small svc-break">
      {members.length > 0 &&
        (count === 0
          ? say('These members have another address: {list}.', { list })
          : say('These members have another address: {list}, and {count} more.', { list, count }))}
      {members.length > 0 && hasMore && (
        <> {say('Only the first {count} members were looked at.', { count: of })}</>
      )}
    </p>
  )
}
