import type { Role } from '../organization-api.ts'
import { useOrganizationSay } from '../provider/organization-provider.tsx'

interface RoleBoxesProps {
  /** Those that the user may give. */
  roles: readonly Role[]
  chosen: readonly string[]
  onChoose: (chosen: string[]) => void
  /** What they are roles of. */
  legend?: string
}

/** A checkbox for each role. */
export function RoleBoxes({ roles, chosen, onChoose, legend }: RoleBoxesProps) {
  const say = useOrganizationSay()
  const choose = (name: string, isChosen: boolean) =>
    onChoose(isChosen ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <fieldset className="svc-shrink">
      <legend className="svc-strong svc-small">{legend ?? say('Roles')}</legend>
      <div className="svc-boxes">
        {roles.map(({ name, displayName }) => (
          <label key={name} className="svc-choice svc-small">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => choose(name, event.target.checked)}
              className="svc-check"
            />
            <span>{say.fromApi(displayName)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
