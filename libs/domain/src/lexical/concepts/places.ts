export const PLACES = `
country nation abroad: america usa canada mexico brazil argentina chile peru colombia england britain uk scotland
  ireland wales france germany spain portugal italy switzerland austria netherlands belgium denmark sweden norway
  finland iceland poland greece turkey russia ukraine egypt morocco kenya nigeria ghana africa israel india china
  japan korea thailand vietnam indonesia malaysia singapore philippines australia zealand europe asia
city town: london paris berlin munich hamburg vienna zurich rome milan venice florence madrid barcelona lisbon porto
  amsterdam brussels copenhagen stockholm oslo helsinki dublin edinburgh prague warsaw budapest athens istanbul
  moscow cairo dubai mumbai delhi bangalore tokyo kyoto osaka seoul beijing shanghai bangkok singapore sydney
  melbourne toronto vancouver montreal boston chicago seattle houston dallas austin denver miami atlanta
  philadelphia portland phoenix detroit orlando vegas york angeles francisco diego
state: alabama alaska arizona arkansas california colorado connecticut delaware florida georgia hawaii idaho
  illinois indiana iowa kansas kentucky louisiana maine maryland massachusetts michigan minnesota mississippi
  missouri montana nebraska nevada ohio oklahoma oregon pennsylvania tennessee texas utah vermont virginia
  washington wisconsin wyoming
= travel trip vacation journey tour getaway roadtrip cruise
place location: park beach museum mountain lake forest cafe restaurant hotel island country city town village
transport vehicle: car truck bus train plane bike bicycle motorcycle boat scooter subway taxi van ferry
car vehicle drive: toyota honda ford tesla bmw audi mercedes volkswagen chevrolet nissan hyundai subaru jeep mazda
  volvo ferrari porsche sedan suv truck van
= bike bicycle cycle
nature outdoors: mountain lake forest river beach ocean waterfall canyon desert island sunset wood trail park valley
outdoor outdoors: hike camp kayak climb fish surf ski snowboard swim picnic run jog canoe raft trail backpack
= hike trek trail
= sea ocean beach coast shore
= forest wood
weather: rain snow storm sunny wind cloudy heat temperature
`;
