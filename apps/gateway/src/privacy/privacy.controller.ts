import { routes } from '@annals/contracts';
import { Controller, Inject } from '@nestjs/common';
import { type Call, ok, STREAMED } from '../http/call.js';
import { Endpoint } from '../http/endpoint.js';
import { PrivacyService } from './privacy.service.js';

@Controller()
export class PrivacyController {
  constructor(@Inject(PrivacyService) private readonly privacy: PrivacyService) {}

  @Endpoint(routes.exportUser)
  async exportUser(call: Call<typeof routes.exportUser>): Promise<typeof STREAMED> {
    const lines = await this.privacy.export(call);
    call.raw.reply.type(routes.exportUser.media).send(lines);
    return STREAMED;
  }

  @Endpoint(routes.eraseUser)
  async eraseUser(call: Call<typeof routes.eraseUser>) {
    return this.privacy.erase(call);
  }

  @Endpoint(routes.getReceipt)
  async getReceipt(call: Call<typeof routes.getReceipt>) {
    return ok(await this.privacy.getReceipt(call));
  }

  @Endpoint(routes.forgetConversation)
  async forgetConversation(call: Call<typeof routes.forgetConversation>) {
    return this.privacy.forget(call);
  }
}
