import { useSay } from '../provider/account-provider.tsx'

interface Props {
  names: string[]
  chosen: string[]
  onChoose: (chosen: string[]) => void
  /** They are shown, and cannot be changed. */
  isFixed?: boolean
}

export function PermissionBoxes({ names, chosen, onChoose, isFixed = false }: Props) {
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
            <code className="svc-break">{name}</code>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
