import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drums.api.ApiClient;
import dev.drums.api.ApiException;
import dev.drums.api.SlotsApi;
import dev.drums.api.TasksApi;
import dev.drums.api.model.Action;
import dev.drums.api.model.BranchRequest;
import dev.drums.api.model.CreateSlotRequest;
import dev.drums.api.model.ErrorReply;
import dev.drums.api.model.ExecuteAction;
import dev.drums.api.model.SlotPage;
import dev.drums.api.model.StepRequest;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** A fork of two: one child solves the task, the other does nothing, and both are verified. */
public final class Fork {
  private static final String TASK = "e0df059f-28a6-4169-924f-b9623e7184cc";
  private static final String SOLUTION = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2";

  private final SlotsApi slots;
  private final TasksApi tasks;
  private final ObjectMapper json;

  private Fork(Map<String, String> environment) {
    ApiClient client = new ApiClient();
    client.setHttpClientBuilder(HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1));
    client.updateBaseUri(environment.getOrDefault("DRUMS_URL", "http://127.0.0.1:7070"));
    String token = environment.getOrDefault("DRUMS_TOKEN", "");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + token));
    slots = new SlotsApi(client);
    tasks = new TasksApi(client);
    json = client.getObjectMapper();
  }

  public static void main(String[] arguments) throws ApiException, IOException {
    new Fork(System.getenv()).run();
  }

  private void run() throws ApiException, IOException {
    List<String> ids = new ArrayList<>();
    try {
      String parent = create(ids);
      execute(parent, List.of("ls", "/home/user/Desktop"), false);
      ByteBuffer png = ByteBuffer.wrap(Files.readAllBytes(slots.getScreenshot(parent).toPath()));
      System.out.println("screen " + png.getInt(16) + " x " + png.getInt(20));
      fork(parent, 2, ids);
      execute(ids.get(1), SOLUTION, true);
      List<String> scores = new ArrayList<>();
      for (String id : ids) {
        scores.add(String.valueOf(Math.round(score(id))));
      }
      System.out.println("scores " + String.join(" ", scores));
      System.out.println("no such desktop: " + refusal("no-such-desktop"));
      System.out.println("pages of 2: " + sizesOfPages(ids, 2));
    } finally {
      for (String id : ids) {
        slots.deleteSlot(id);
      }
      System.out.println("closed " + ids.size());
    }
  }

  private String create(List<String> ids) throws ApiException {
    var request = new CreateSlotRequest().checkpoint("osworld-ubuntu").task(tasks.getTask(TASK));
    var slot = slots.createSlot(request);
    ids.add(slot.getId());
    if (!"ready".equals(slot.getState())) {
      throw new IllegalStateException("the desktop did not come up: " + slot.getLastError());
    }
    return slot.getId();
  }

  private void execute(String id, Object command, boolean shell) throws ApiException {
    var action = new ExecuteAction().type(ExecuteAction.TypeEnum.EXECUTE).command(command).shell(shell);
    var result = slots.stepSlot(id, new StepRequest().action(new Action(action))).getResult();
    if (!Objects.equals(result.getReturncode(), 0)) {
      throw new IllegalStateException(command + " failed: " + result.getError());
    }
  }

  private void fork(String id, int n, List<String> ids) throws ApiException {
    for (var child : slots.branchSlot(id, new BranchRequest().n(n).deleteStateWithChildren(true)).getChildren()) {
      if (child.getError() != null) {
        throw new IllegalStateException("a child did not come up: " + child.getError());
      }
      ids.add(child.getId());
    }
  }

  private double score(String id) throws ApiException {
    var reward = slots.verifySlot(id, Map.of());
    if (!reward.getValid() || reward.getScore() == null) {
      throw new IllegalStateException("no usable reward: " + reward.getInvalidReasons());
    }
    return reward.getScore();
  }

  private String sizesOfPages(List<String> ids, int limit) throws ApiException {
    List<Long> sizes = new ArrayList<>();
    String after = null;
    do {
      SlotPage page = slots.listSlots(limit, after, null);
      sizes.add(page.getItems().stream().filter(slot -> ids.contains(slot.getId())).count());
      after = page.getNextAfter();
    } while (after != null);
    return sizes.stream().filter(size -> size > 0).map(String::valueOf).collect(Collectors.joining(" "));
  }

  /** The status and the server's code of a call that is refused. */
  private String refusal(String id) throws IOException {
    try {
      slots.getSlot(id);
      return "nothing was refused";
    } catch (ApiException refused) {
      ErrorReply said = json.readValue(refused.getResponseBody(), ErrorReply.class);
      return refused.getCode() + " " + said.getCode();
    }
  }
}
