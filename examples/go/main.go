// A fork of two: one child solves the task, the other does nothing, and both are verified.
package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"

	drums "drums-example/api"
)

const (
	task     = "e0df059f-28a6-4169-924f-b9623e7184cc"
	solution = "mv ~/Desktop/todo_list_Jan_1 ~/Desktop/todo_list_Jan_2"
)

type client struct {
	api *drums.APIClient
	ctx context.Context
}

func connect() client {
	url := os.Getenv("DRUMS_URL")
	if url == "" {
		url = "http://127.0.0.1:7070"
	}
	settings := drums.NewConfiguration()
	settings.Servers = drums.ServerConfigurations{{URL: url}}
	ctx := context.WithValue(context.Background(), drums.ContextAccessToken, os.Getenv("DRUMS_TOKEN"))
	return client{drums.NewAPIClient(settings), ctx}
}

func (c client) create() (string, error) {
	wanted, _, err := c.api.TasksAPI.GetTask(c.ctx, task).Execute()
	if err != nil {
		return "", err
	}
	body := drums.NewCreateSlotRequest("osworld-ubuntu")
	body.SetTask(*wanted)
	slot, _, err := c.api.SlotsAPI.CreateSlot(c.ctx).CreateSlotRequest(*body).Execute()
	if err != nil {
		return "", err
	}
	if slot.State != "ready" {
		return slot.Id, fmt.Errorf("the desktop did not come up: %s", slot.GetLastError())
	}
	return slot.Id, nil
}

func (c client) execute(id string, command any, shell bool) error {
	action := drums.NewExecuteAction("execute", command)
	action.SetShell(shell)
	body := drums.NewStepRequest(drums.ExecuteActionAsAction(action))
	reply, _, err := c.api.SlotsAPI.StepSlot(c.ctx, id).StepRequest(*body).Execute()
	if err != nil {
		return err
	}
	if reply.Result.GetReturncode() != 0 {
		return fmt.Errorf("%v failed: %s", command, reply.Result.GetError())
	}
	return nil
}

func (c client) screenshot(id string) (width, height uint32, err error) {
	file, _, err := c.api.SlotsAPI.GetScreenshot(c.ctx, id).Execute()
	if err != nil {
		return 0, 0, err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	png, err := io.ReadAll(file)
	if err != nil || len(png) < 24 {
		return 0, 0, fmt.Errorf("no picture: %w", err)
	}
	return binary.BigEndian.Uint32(png[16:]), binary.BigEndian.Uint32(png[20:]), nil
}

func (c client) fork(id string, n int32) ([]string, error) {
	body := drums.NewBranchRequest(n)
	body.SetDeleteStateWithChildren(true)
	reply, _, err := c.api.SlotsAPI.BranchSlot(c.ctx, id).BranchRequest(*body).Execute()
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, child := range reply.Children {
		if why := child.GetError(); why != "" {
			return ids, fmt.Errorf("a child did not come up: %s", why)
		}
		ids = append(ids, child.GetId())
	}
	return ids, nil
}

func (c client) score(id string) (float64, error) {
	reward, _, err := c.api.SlotsAPI.VerifySlot(c.ctx, id).Body(map[string]any{}).Execute()
	if err != nil {
		return 0, err
	}
	if score, there := reward.GetScoreOk(); reward.Valid && there && score != nil {
		return *score, nil
	}
	return 0, fmt.Errorf("no usable reward: %v", reward.GetInvalidReasons())
}

func (c client) sizesOfPages(ids []string, limit int32) ([]any, error) {
	var sizes []any
	request := c.api.SlotsAPI.ListSlots(c.ctx).Limit(limit)
	for {
		page, _, err := request.Execute()
		if err != nil {
			return nil, err
		}
		size := 0
		for _, slot := range page.Items {
			if slices.Contains(ids, slot.Id) {
				size++
			}
		}
		if size > 0 {
			sizes = append(sizes, size)
		}
		if !page.NextAfter.IsSet() || page.NextAfter.Get() == nil {
			return sizes, nil
		}
		request = request.After(*page.NextAfter.Get())
	}
}

// refusal is the status and the server's code of a call that was refused.
func (c client) refusal(id string) (int, string) {
	_, response, err := c.api.SlotsAPI.GetSlot(c.ctx, id).Execute()
	var refused *drums.GenericOpenAPIError
	if errors.As(err, &refused) {
		if said, is := refused.Model().(drums.ErrorReply); is {
			return response.StatusCode, said.GetCode()
		}
	}
	return 0, fmt.Sprint(err)
}

func (c client) run(ids *[]string) error {
	parent, err := c.create()
	if parent != "" {
		*ids = append(*ids, parent)
	}
	if err != nil {
		return err
	}
	if err := c.execute(parent, []string{"ls", "/home/user/Desktop"}, false); err != nil {
		return err
	}
	width, height, err := c.screenshot(parent)
	if err != nil {
		return err
	}
	fmt.Println("screen", width, "x", height)
	children, err := c.fork(parent, 2)
	*ids = append(*ids, children...)
	if err != nil {
		return err
	}
	if err := c.execute(children[0], solution, true); err != nil {
		return err
	}
	scores := []any{"scores"}
	for _, id := range *ids {
		score, err := c.score(id)
		if err != nil {
			return err
		}
		scores = append(scores, score)
	}
	fmt.Println(scores...)
	status, code := c.refusal("no-such-desktop")
	fmt.Println("no such desktop:", status, code)
	sizes, err := c.sizesOfPages(*ids, 2)
	if err != nil {
		return err
	}
	fmt.Println(append([]any{"pages of 2:"}, sizes...)...)
	return nil
}

func main() {
	c := connect()
	var ids []string
	err := c.run(&ids)
	for _, id := range ids {
		if _, _, failed := c.api.SlotsAPI.DeleteSlot(c.ctx, id).Execute(); failed != nil {
			log.Println("not closed:", id, failed)
		}
	}
	fmt.Println("closed", len(ids))
	if err != nil {
		log.Fatal(err)
	}
}
