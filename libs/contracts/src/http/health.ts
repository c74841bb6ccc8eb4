import { z } from 'zod';

export const healthCheckSchema = z.object({
  name: z.string(),
  status: z.enum(['ok', 'failing']),
  detail: z.string().optional(),
});
export const healthSchema = z.object({ status: z.enum(['ok', 'failing']), checks: z.array(healthCheckSchema) });
export type Health = z.infer<typeof healthSchema>;
