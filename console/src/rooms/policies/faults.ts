import { ApiError } from "@/api/errors";

export interface ConditionFault {
  rule: number;
  line: number;
  column: number;
  message: string;
}

const PLACE = /rules\.(\d+)\.when, line (\d+), column (\d+): (.*)/;

/** The faults of conditions in a refusal, and what else it says. */
export function faultsOf(fault: unknown): { conditions: ConditionFault[]; others: string[] } {
  if (!(fault instanceof ApiError)) return { conditions: [], others: [] };
  const conditions = fault.details.flatMap((detail) => {
    const [, rule, line, column, message] = PLACE.exec(detail) ?? [];
    if (rule === undefined) return [];
    return [{ rule: Number(rule), line: Number(line), column: Number(column), message: message ?? "" }];
  });
  const others = fault.details.filter((detail) => detail.search(PLACE) < 0);
  return { conditions, others };
}
