'use client'

import { useRouter } from 'next/navigation.js'
import { type FormEvent, useState } from 'react'
import { type UserProfile, useProfile } from '../../account/use-profile.ts'
import { useSay } from '../provider/account-provider.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { formText } from '../ui/form-text.ts'
import { Outcome } from '../ui/outcome.tsx'
import { Select } from '../ui/select.tsx'
import { TextArea } from '../ui/text-area.tsx'
import type { Choice } from './languages.ts'
import { profileFailure, usernameFailure } from './profile-failure.ts'
import { TimezoneSelect } from './timezone-select.tsx'
import type { Region } from './timezones.ts'
import { UsernameField } from './username-field.tsx'

interface Props {
  initial: UserProfile
  languages: Choice[]
  regions: Region[]
}

export function ProfileForm({ initial, languages, regions }: Props) {
  const say = useSay()
  const { profile, saving } = useProfile({ initial })
  const router = useRouter()
  const [isSaved, setSaved] = useState(false)

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    setSaved(false)
    const saved = await saving.run(changesOf(new FormData(event.currentTarget)))
    setSaved(saved !== null)
    // The browser may come back to what it has kept of this page.
    if (saved) router.refresh()
  }

  /** What was said is of what was entered before. */
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
          hint={say('We send messages in this language if we can.')}
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

/** Null clears what is empty. */
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
