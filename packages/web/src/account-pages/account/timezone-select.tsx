import { useEffect, useRef, useState } from 'react'
import { useSay } from '../provider/account-provider.tsx'
import { QuietButton } from '../ui/quiet-button.tsx'
import { Select } from '../ui/select.tsx'
import type { Region } from './timezones.ts'

interface Props {
  regions: Region[]
  initial: string
}

export function TimezoneSelect({ regions, initial }: Props) {
  const say = useSay()
  const [chosen, setChosen] = useState(initial)
  const [own, setOwn] = useState<string | null>(null)
  const box = useRef<HTMLDivElement>(null)
  // The server does not know it, so it is not in what both render.
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
