'use client'

import { ReservedUsernameError, UsernameAlreadyTakenError } from '@svc/auth'
import { ValidationError } from '@svc/core/client'
import { useRouter } from 'next/navigation.js'
import { type FormEvent, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { type UserProfile, useProfile, useUsernameCheck } from '../../account/account.ts'
import { failureWords } from '../failures/failure-words.ts'
import { useSay } from '../provider/account-provider.tsx'
import { AccountPage } from '../ui/account-page.tsx'
import { Button, QuietButton } from '../ui/button.tsx'
import { Field, formText } from '../ui/field.tsx'
import { Outcome } from '../ui/outcome.tsx'
import { Panel, Skeleton } from '../ui/page.tsx'
import type { PageSlots } from '../ui/page-slots.ts'
import { Select } from '../ui/select.tsx'
import { TextArea } from '../ui/text-area.tsx'
import type { AccountSentence } from '../words/account-words.ts'
import type { Say } from '../words/say.ts'
import { type Choice, languages as languagesIn, type Region, timezones } from './choices.ts'
import { EmailSetting } from './sign-in-settings.tsx'

interface ProfileViewProps extends PageSlots {
  userId: string
  email: string | undefined
  /** A `ProfileDetails`. */
  children: ReactNode
}

/** The name, username and settings of the user. */
export function ProfileView({ userId, email, children, ...slots }: ProfileViewProps) {
  const say = useSay()
  return (
    <AccountPage title={say('Profile')} about={say('Your name, username and settings.')} {...slots}>
      {/* All at once: what comes after the form would move when it comes. */}
      <Suspense fallback={<Skeleton label={say('Loading your profile…')} />}>
        {children}
        <div className="svc-above-8">
          <EmailSetting email={email} />
        </div>
        <p className="svc-note svc-above-6">
          {say('User id:')} <code className="svc-ink svc-break-all">{userId}</code>
        </p>
      </Suspense>
    </AccountPage>
  )
}

interface ProfileFormProps {
  initial: UserProfile
  languages: Choice[]
  regions: Region[]
}

function ProfileForm({ initial, languages, regions }: ProfileFormProps) {
  const say = useSay()
  const { profile, saving } = useProfile({ initial })
  const router = useRouter()
  const [isSaved, setSaved] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSaved(false)
    const saved = await saving.run(changesOf(new FormData(event.currentTarget)))
    setSaved(saved !== null)
    // The browser may come back to an older copy of this page.
    if (saved) router.refresh()
  }

  /** The message was about the earlier input. */
  function forget() {
    setSaved(false)
    saving.reset()
  }

  const { displayName, bio, locale, timezone } = initial.profile
  const problem = saving.error ? profileFailure(say, saving.error) : ''
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onChange={forget}
      className="svc-sheet"
    >
      <div className="svc-halves">
        <Field
          label={say('Name')}
          name="displayName"
          autoComplete="name"
          maxLength={100}
          defaultValue={displayName}
          hint={say('Saved with your account.')}
        />
        <UsernameField current={profile.username} problem={usernameFailure(say, saving.error)} />
        <Select
          label={say('Language')}
          name="locale"
          defaultValue={locale}
          hint={say('The language of these pages and of our messages, if we have it.')}
        >
          {languages.map(({ value, label }) => (
            <option key={value} value={value} lang={value}>
              {label}
            </option>
          ))}
        </Select>
        <TimezoneSelect regions={regions} initial={timezone} />
        <div className="svc-whole">
          <TextArea label={say('About you')} name="bio" maxLength={2000} defaultValue={bio} />
        </div>
      </div>
      <div className="svc-form-end">
        <Button type="submit" look="primary" isBusy={saving.isRunning}>
          {saving.isRunning ? say('Saving…') : say('Save')}
        </Button>
        <Outcome problem={problem} done={isSaved ? say('Your profile is saved.') : ''} />
      </div>
    </form>
  )
}

/** An empty field becomes null, which clears it. */
function changesOf(form: FormData) {
  const given = (name: string) => formText(form, name).trim() || null
  return {
    username: given('username'),
    displayName: given('displayName'),
    bio: given('bio'),
    locale: given('locale'),
    timezone: given('timezone'),
  }
}

interface ProfileDetailsProps {
  /** Null while the user must change their password. */
  profile: UserProfile | null
}

/** The form for the profile of an account. */
export function ProfileDetails({ profile }: ProfileDetailsProps) {
  const say = useSay()
  if (!profile) {
    return (
      <Panel
        title={say('Change your password first')}
        about={say('You can’t use your profile until then. Change the password under Security.')}
      />
    )
  }
  const { locale, timezone } = profile.profile
  return (
    <ProfileForm initial={profile} languages={languagesIn(locale)} regions={timezones(timezone)} />
  )
}

interface UsernameFieldProps {
  current: string | undefined
  /** Why the username that was sent last was refused. */
  problem: string
}

/** Says while the user types whether the name is available. */
function UsernameField({ current, problem }: UsernameFieldProps) {
  const say = useSay()
  const [entered, setEntered] = useState(current ?? '')
  const status = useUsernameCheck(entered.trim(), { current })
  return (
    <div>
      <Field
        label={say('Username')}
        name="username"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={entered}
        onChange={(event) => setEntered(event.target.value)}
        problem={problem}
        hint={say('Others may see it. Letters a to z, digits, “.”, “_” and “-”.')}
      />
      <p role="status" className={`svc-username svc-username-${status}`}>
        {problem || status === 'unasked' ? '' : say(words[status])}
      </p>
    </div>
  )
}

const words = {
  checking: 'Checking this username…',
  available: 'This username is free.',
  unavailable: 'This username is taken, reserved, too short or too long. Choose another one.',
  unknown: 'We can’t check this username right now.',
} as const

interface TimezoneSelectProps {
  regions: Region[]
  initial: string
}

function TimezoneSelect({ regions, initial }: TimezoneSelectProps) {
  const say = useSay()
  const [chosen, setChosen] = useState(initial)
  const [own, setOwn] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  // The server does not know the browser's time zone, so it is not part of what both render.
  useEffect(() => setOwn(Intl.DateTimeFormat().resolvedOptions().timeZone), [])
  const isKnown = regions.some(({ zones }) => zones.some(({ value }) => value === own))

  function chooseOwn() {
    setChosen(own ?? chosen)
    box.current?.querySelector('select')?.focus()
  }

  return (
    <div ref={box}>
      <Select
        label={say('Time zone')}
        name="timezone"
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
        hint={say('Saved with your account.')}
      >
        <option value="UTC">{say('UTC')}</option>
        {regions.map(({ name, zones }) => (
          <optgroup key={name} label={name}>
            {zones.map(({ value, label }) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </optgroup>
        ))}
      </Select>
      {own !== null && isKnown && own !== chosen && (
        <p className="svc-small svc-above-1">
          <QuietButton onClick={chooseOwn}>
            {say('Use this browser’s: {zone}', { zone: own.replaceAll('_', ' ') })}
          </QuietButton>
        </p>
      )}
    </div>
  )
}

/** Why a username was refused, or nothing if the failure is another one. */
export function usernameFailure(say: Say, error: unknown) {
  if (error instanceof UsernameAlreadyTakenError)
    return say('This username is taken. Choose another one.')
  if (error instanceof ReservedUsernameError)
    return say('This username is reserved. Choose another one.')
  if (error instanceof ValidationError) {
    const field = error.fields.find(({ path }) => path === 'body.username')
    return field ? say.fromApi(field.message) : ''
  }
  return ''
}

const names: Record<string, AccountSentence> = {
  'body.displayName': 'Name',
  'body.bio': 'About you',
  'body.locale': 'Language',
  'body.timezone': 'Time zone',
}

function fieldName(say: Say, path: string) {
  const name = names[path]
  return name ? say(name) : path
}

/** What a person can do about a profile that was not saved. */
export function profileFailure(say: Say, error: unknown) {
  if (usernameFailure(say, error)) return say('Nothing was saved. Choose another username.')
  if (!(error instanceof ValidationError)) return failureWords(say, error)
  return error.fields
    .map(({ path, message }) => `${fieldName(say, path)}: ${say.fromApi(message)}`)
    .join(' ')
}
