'use client'

import type { FormEvent } from 'react'
import { useAccount, useSay } from '../provider/account-provider.tsx'
import { Button, TextLink } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { TextArea } from '../ui/text-area.tsx'

interface MachineFormProps {
  /** Those of the account, of which some may be chosen. */
  permissions: string[]
  chosen: string[]
  onChoose: (chosen: string[]) => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  isRunning: boolean
  /** What is wrong with what was entered. */
  wrong: { registration: string; days: string }
  problem: string
  done: string
}

export function MachineForm({
  permissions,
  chosen,
  onChoose,
  onSubmit,
  ...rest
}: MachineFormProps) {
  const { say, paths, permissionWords } = useAccount()
  const { isRunning, wrong, problem, done } = rest
  return (
    <form method="post" noValidate onSubmit={onSubmit} className="svc-sheet svc-stack svc-stack-5">
      <TextArea
        label={say('Registration')}
        name="registration"
        autoComplete="off"
        spellCheck={false}
        problem={wrong.registration}
        placeholder={'{"publicKey":"…","keyId":"…","fingerprint":"…","algorithm":"ES256"}'}
        hint={say(
          'Paste the text that the program prints after it creates its key. It is public. The private half stays with the program.',
        )}
      />
      <div className="svc-form-columns">
        <Field
          label={say('Name')}
          name="deviceName"
          autoComplete="off"
          maxLength={64}
          hint={say('The name in your list of devices, for example Nightly report.')}
        />
        <Field
          label={say('Days')}
          name="days"
          type="number"
          min={1}
          max={365}
          defaultValue={90}
          hint={say('From 1 to 365.')}
          problem={wrong.days}
        />
      </div>
      <div>
        <PermissionBoxes
          names={permissions}
          words={(name) => permissionWords[name]}
          {...{ chosen, onChoose }}
        />
        <p className="svc-note svc-above-2">
          {say(
            'Give it as few as it needs. With none, it can do what every signed-in user can do.',
          )}
        </p>
      </div>
      <div className="svc-stack svc-stack-2 svc-break">
        <Outcome problem={problem} />
        <p role="status" className="svc-small">
          {done && (
            <>
              {done}{' '}
              {say.nodes(
                'The key appears in <link>your devices</link>, where you can also remove it.',
                { link: (text) => <TextLink href={paths.devices}>{text}</TextLink> },
              )}
            </>
          )}
        </p>
      </div>
      <div>
        <Button type="submit" look="primary" isBusy={isRunning}>
          {isRunning ? say('Registering…') : say('Register the key')}
        </Button>
      </div>
    </form>
  )
}

interface PermissionBoxesProps {
  names: string[]
  /** What a permission allows, above its name. */
  words?: (name: string) => string | undefined
  chosen: string[]
  onChoose: (chosen: string[]) => void
  /** They are shown, and cannot be changed. */
  isFixed?: boolean
}

/** A checkbox for each permission, with your words for what it allows. */
export function PermissionBoxes({
  names,
  words,
  chosen,
  onChoose,
  isFixed = false,
}: PermissionBoxesProps) {
  const say = useSay()
  const choose = (name: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <fieldset disabled={isFixed} className="svc-shrink">
      <legend className="svc-strong svc-small">{say('Permissions')}</legend>
      <div className="svc-boxes">
        {names.toSorted().map((name) => (
          <label key={name} className="svc-choice svc-small">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => choose(name, event.target.checked)}
              className="svc-check"
            />
            <span>
              {words?.(name)} <code className="svc-break">{name}</code>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
