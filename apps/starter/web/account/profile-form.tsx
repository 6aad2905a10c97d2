'use client'

import { type UserProfile, useProfile } from '@svc/web/react'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
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
  const problem = saving.error ? profileFailure(saving.error) : ''
  return (
    <form
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onChange={forget}
      className="rounded-xl border border-line bg-sheet p-5 sm:p-6"
    >
      <div className="grid items-start gap-x-6 gap-y-5 sm:grid-cols-2">
        <Field
          label="Name"
          name="displayName"
          autoComplete="name"
          maxLength={100}
          defaultValue={displayName}
          hint="Saved with your account. The board shows your username."
        />
        <UsernameField current={profile.username} problem={usernameFailure(saving.error)} />
        <Select
          label="Language"
          name="locale"
          defaultValue={locale}
          hint="We send messages in this language if we can."
        >
          {languages.map(({ value, label }) => (
            <option key={value} value={value} lang={value}>
              {label}
            </option>
          ))}
        </Select>
        <TimezoneSelect regions={regions} initial={timezone} />
        <div className="sm:col-span-2">
          <TextArea label="About you" name="bio" maxLength={2000} defaultValue={bio} />
        </div>
      </div>
      <div className="mt-5 flex flex-wrap items-center gap-x-5 gap-y-2">
        <Button type="submit" look="primary" isBusy={saving.isRunning}>
          {saving.isRunning ? 'Saving…' : 'Save'}
        </Button>
        <Outcome problem={problem} done={isSaved ? 'Your profile is saved.' : ''} />
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
